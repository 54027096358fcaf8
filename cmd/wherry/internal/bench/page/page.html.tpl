<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>{{.Title}}</title>
<style>{{style}}</style>
</head>
<body>
<header>
<h1>{{.Title}}</h1>
<p>{{.Machine}}</p>
{{with .Tally}}<p><strong>{{.}}</strong></p>
{{end}}{{range .Warnings}}<p><strong>warning:</strong> {{.}}</p>
{{end -}}
</header>
{{range .Sections}}<section>
<h2>{{.Title}}</h2>
{{with .Hint}}<p class="hint">{{.}}</p>
{{end}}{{with .Error}}<pre class="error">{{.}}</pre>
{{end}}{{range .Plots}}{{with .Title}}<h3>{{.}}</h3>
{{end}}{{template "plot" .}}{{end -}}
{{if .Table.Parts}}{{with .Table.Folded}}<details><summary>{{.}}</summary>{{end}}{{template "table" .Table}}{{/* */ -}}
{{if .Table.Folded}}</details>{{end}}
{{end}}{{range .Lists}}{{if .Entries}}<h3>{{.Title}}</h3>
<ul>
{{range .Entries}}<li>{{with .Name}}<b>{{.}}</b>: {{end}}{{.Text}}</li>
{{end}}</ul>
{{end}}{{end}}{{if .Figures}}<h3>{{.Caption}}</h3>
<p class="hint">A dot is one round; each picture has a logarithmic axis of its own.</p>
<div class="figures">
{{range .Figures}}<figure><figcaption>{{name .Title}} <span class="hint">{{.What}}</span></figcaption>{{template "plot" .}}</figure>
{{end}}</div>
{{end}}{{range .Groups}}{{if .Each}}<details><summary>{{.Title}}</summary>
{{range .Each}}<p><b>{{.Label}}</b> ({{len .Names}}): {{range $i, $name := .Names}}{{if $i}}, {{end}}<code>{{$name}}</code>{{end}}</p>
{{end}}</details>
{{end}}{{end}}</section>
{{end}}</body>
</html>
{{define "plot"}}{{$axis := axis .}}<div class="plot">
{{with .Heads}}<div class="line heading"><span></span><span></span>{{range .}}<span class="cell {{.Kind}}">{{.Text}}</span>{{end}}</div>
{{end}}{{range .Rows}}<div class="line"><span class="name">{{name .Name}} <span class="hint">{{.What}}</span></span>{{/* */ -}}
<svg class="strip" viewBox="0 0 480 22" aria-hidden="true">{{range $axis.Ticks}}<path class="tick" d="M{{.X}} 0v22"/>{{end}}{{/* */ -}}
{{with $axis.One}}<path class="one" d="M{{.}} 0v22"/>{{end}}{{with .Line}}{{if .To}}<path class="{{.Kind}}" {{/* */ -}}
{{if finite .To}}d="M{{$axis.X .From}} 11H{{$axis.X .To}}"{{else}}stroke-dasharray="2 4" d="M0 11H480"{{end}}/>{{end}}{{end}}{{/* */ -}}
{{range $i, $dot := .Dots}}<circle class="{{.Kind}}" cx="{{$axis.X .At}}" {{/* */ -}}
{{if .Small}}cy="11" r="2" transform="translate(0 {{jitter $i}})"{{else}}cy="11" r="4"{{end}}/>{{end}}</svg>{{/* */ -}}
{{range .Cells}}<span class="cell {{.Kind}}">{{.Text}}</span>{{end}}</div>
{{end}}<div class="line"><span></span><svg class="strip" viewBox="0 0 480 20" aria-hidden="true">{{/* */ -}}
{{range $axis.Ticks}}<text x="{{.At}}" y="15" text-anchor="middle">{{.Label}}</text>{{end}}</svg></div>
</div>
{{end}}
{{define "table"}}<div class="scroll" tabindex="0">
<table>
<thead><tr>{{range .Columns}}<th>{{.}}</th>{{end}}</tr></thead>
{{$columns := .Columns}}{{range .Parts}}<tbody>
{{with .Head}}<tr><th colspan="{{len $columns}}">{{.}}</th></tr>
{{end}}{{range .Rows}}<tr class="{{.Kind}}">{{/* */ -}}
{{range $i, $cell := .Cells}}<td>{{if $i}}{{$cell}}{{else}}{{name $cell}}{{end}}</td>{{end}}</tr>
{{end}}</tbody>
{{end}}</table>
</div>{{end}}
