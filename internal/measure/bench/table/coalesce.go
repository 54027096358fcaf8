package main

import (
	"slices"
	"strconv"
	"strings"
)

// coalesce makes a table for each work and place: medians, and minimum and maximum of
// what varies most.
func coalesce(r *run) (string, error) {
	var m markdown
	units, ways := map[string][]string{}, map[string][]string{} // of a table, in their order
	var tables []string
	for _, k := range r.keys {
		table, way, _ := strings.Cut(k.name, "/way=")
		if units[table] == nil {
			tables = append(tables, table)
		}
		if !slices.Contains(units[table], k.unit) {
			units[table] = append(units[table], k.unit)
		}
		if !slices.Contains(ways[table], way) {
			ways[table] = append(ways[table], way)
		}
	}
	for _, table := range tables {
		m.WriteString("\n#### " + strings.Replace(table, "/link=", " over ", 1) + "\n\n")
		m.head(append([]string{"way"}, units[table]...)...)
		for _, way := range ways[table] {
			cells := []string{way}
			for _, unit := range units[table] {
				values := r.get(table+"/way="+way, unit)
				if unit == "MB/s" || unit == "p50-us" || unit == "p99-us" {
					cells = append(cells, spread(values, decimals))
				} else {
					cells = append(cells, decimals(median(values)))
				}
			}
			m.row(cells...)
		}
	}
	return m.String(), nil
}

// decimals are at most two.
func decimals(v float64) string {
	switch {
	case v >= 100 || v == float64(int(v)):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}
