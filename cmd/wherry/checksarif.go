package main

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"

	"github.com/wherrygo/wherry/check"
)

type object = map[string]any

// writeSARIF writes SARIF 2.1.0 (OASIS), the few parts of it that code hosts read.
func writeSARIF(w io.Writer, judgements []*judgement) error {
	const home = "https://github.com/wherrygo/wherry"
	var rules []object
	for _, c := range check.Classes() {
		rules = append(rules, object{"id": c.String(), "helpUri": home + "/blob/main/check/rules/" + c.String() + "/page.md",
			"shortDescription": object{"text": "The function " + c.Says() + "."}})
	}
	results := []object{}
	for _, j := range judgements {
		for i := range j.results {
			r := &j.results[i]
			for k := range r.Hazards {
				results = append(results, sarifOf(j, r, &r.Hazards[k]))
			}
		}
	}
	return writeIndented(w, object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []object{{
		"tool":    object{"driver": object{"name": "wherry check", "informationUri": home, "rules": rules}},
		"results": results,
	}}})
}

func sarifOf(j *judgement, r *check.Result, h *check.Hazard) object {
	level, file := "warning", j.name
	if h.Class.Uncertain() {
		level = "note"
	}
	place := object{}
	if first := h.Path[0]; first.File != "" {
		file = first.File
		place["region"] = object{"startLine": first.Line}
	}
	place["artifactLocation"] = object{"uri": (&url.URL{Path: filepath.ToSlash(file)}).String()}
	return object{"ruleId": h.Class.String(), "level": level,
		"message": object{"text": fmt.Sprintf("%s %s: %s", r.Name, h.Class.Says(), pathText(h))},
		"locations": []object{{"physicalLocation": place,
			"logicalLocations": []object{{"fullyQualifiedName": r.Name, "kind": "function"}}}},
		// Fingerprints let a host follow a result over changed lines.
		"partialFingerprints": object{"function/v1": j.name + ":" + r.Name + ":" + h.Class.String()}}
}
