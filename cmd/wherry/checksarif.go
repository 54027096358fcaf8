package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"

	"github.com/wherrygo/wherry/check"
)

// SARIF 2.1.0 (OASIS), the few parts of it that code hosts read.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
	HelpURI          string    `json:"helpUri"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
	// Fingerprints let a host follow a result over changed lines.
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations"`
}

type sarifPhysical struct {
	Artifact struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
	Region *sarifRegion `json:"region,omitempty"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

func writeSARIF(w io.Writer, judgements []*judgement) error {
	var run sarifRun
	run.Results = []sarifResult{}
	run.Tool.Driver = sarifDriver{Name: "wherry check", InformationURI: "https://github.com/wherrygo/wherry"}
	for _, c := range check.Classes() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{c.String(), sarifText{"The function " + c.Says() + "."},
			"https://github.com/wherrygo/wherry/blob/main/check/rules/" + c.String() + "/page.md"})
	}
	for _, j := range judgements {
		for i := range j.results {
			r := &j.results[i]
			for k := range r.Hazards {
				run.Results = append(run.Results, sarifOf(j, r, &r.Hazards[k]))
			}
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "\t")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func sarifOf(j *judgement, r *check.Result, h *check.Hazard) sarifResult {
	result := sarifResult{RuleID: h.Class.String(), Level: "warning",
		Message:      sarifText{fmt.Sprintf("%s %s: %s", r.Name, h.Class.Says(), pathText(h))},
		Fingerprints: map[string]string{"function/v1": j.name + ":" + r.Name + ":" + h.Class.String()}}
	if h.Class.Uncertain() {
		result.Level = "note"
	}
	location := sarifLocation{Logical: []sarifLogical{{r.Name, "function"}}}
	file := j.name
	if first := h.Path[0]; first.File != "" {
		file = first.File
		location.Physical.Region = &sarifRegion{first.Line}
	}
	location.Physical.Artifact.URI = (&url.URL{Path: filepath.ToSlash(file)}).String()
	result.Locations = []sarifLocation{location}
	return result
}
