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
<p><strong>{{.Tally}}</strong></p>
</header>
{{$columns := .Columns -}}
<section>
<h2>Ratio of the times, cgo / wherry</h2>
<p class="hint">Right of the line at 1, the accelerated build is faster. The bar is the 95&nbsp;% confidence interval;
dashed, there were too few rounds for one.</p>
{{range .Packages}}{{if .Rows -}}
{{$overview := overview .Rows -}}
<h3>{{.Name}}</h3>
<div class="overview">
{{range .Rows -}}
<div class="line"><span class="name">{{name .}}</span><span class="ratio {{.Outcome}}">{{index .Cells 3}}</span>{{/* */ -}}
<span class="strip">{{$overview.Strip .}}</span></div>
{{end -}}
<div class="line"><span class="strip">{{$overview.Axis}}</span></div>
</div>
{{end}}{{end -}}
</section>
{{range .Packages}}
<section>
<h2>{{.Name}}</h2>
{{with .Error}}<pre class="error">{{.}}</pre>
{{end -}}
{{if .Rows -}}
<div class="scroll" tabindex="0">
<table>
<thead><tr>{{range $columns}}<th>{{.}}</th>{{end}}</tr></thead>
<tbody>
{{range .Rows}}<tr class="{{.Outcome}}"><td>{{name .}}</td>{{range slice .Cells 1}}<td>{{.}}</td>{{end}}</tr>
{{end -}}
</tbody>
</table>
</div>
{{end -}}
{{with .Changes -}}
<h3>Allocations</h3>
<ul>
{{range .}}<li><b>{{.Name}}</b>: {{.Text}}</li>
{{end -}}
</ul>
{{end -}}
{{with .NotCompared -}}
<h3>Not compared</h3>
<ul>
{{range .}}<li><b>{{.Name}}</b>: {{.Text}}</li>
{{end -}}
</ul>
{{end -}}
{{with .Notes -}}
<h3>Warnings</h3>
<ul>
{{range .}}<li>{{.}}</li>
{{end -}}
</ul>
{{end -}}
{{if .Rows -}}
<h3>All measured values</h3>
<p class="hint">A dot is one round. The axes do not begin at 0.</p>
<div class="spreads">
{{range .Rows}}<figure><figcaption>{{name .}}</figcaption>{{spread .}}</figure>
{{end -}}
</div>
{{end -}}
{{with .Accelerated -}}
<details><summary>Accelerated C functions</summary>
{{range .}}<p><b>{{.Label}}</b> ({{len .Functions}}): {{template "functions" .Functions}}</p>
{{end -}}
</details>
{{end -}}
{{with .Kept -}}
<details><summary>C functions kept on cgo</summary>
{{range .}}<p><b>{{.Label}}</b> ({{len .Functions}}): {{template "functions" .Functions}}</p>
{{end -}}
</details>
{{end -}}
</section>
{{end -}}
</body>
</html>
{{define "functions"}}{{$all := .}}{{range $i, $f := .}}<code>{{$f}}</code>{{if not (last $i $all)}}, {{end}}{{end}}{{end -}}
