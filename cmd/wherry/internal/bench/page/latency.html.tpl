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
{{range .Warnings}}<p><strong>warning:</strong> {{.}}</p>
{{end -}}
</header>
<section>
<h2>Time of one operation</h2>
<p class="hint">The median on one goroutine, on one logarithmic axis: <span class="cgo">cgo</span>, <span class="wherry">wherry</span>,
others
(small: further variants). The last column is cgo's time divided by wherry's.</p>
{{$times := overview .Works -}}
<div class="overview times">
<div class="line heading"><span class="before cgo">cgo</span><span class="after wherry">wherry</span><span class="ratio">ratio</span></div>
{{range .Works}}{{$after := $times.Wherry . -}}
<div class="line"><span class="name">{{.Name}} <span class="hint">{{.What}}</span></span>{{/* */ -}}
<span class="strip">{{$times.Strip .}}</span><span class="before cgo">{{$times.Cgo .}}</span>{{/* */ -}}
<span class="after {{$after.Kind}}">{{$after.Text}}</span><span class="ratio">{{$times.Times .}}</span></div>
{{end -}}
<div class="line"><span class="strip">{{$times.Axis}}</span></div>
</div>
</section>
{{if .HasSamples}}<section>
<h2>All measured times</h2>
<p class="hint">On one goroutine. A dot is one round; each picture has a logarithmic axis of its own.</p>
<div class="spreads">
{{range .Works}}{{$work := .}}{{with distribution .}}{{/* */ -}}
<figure><figcaption>{{$work.Name}} <span class="hint">{{$work.What}}</span></figcaption>{{.}}</figure>
{{end}}{{end -}}
</div>
</section>
{{end -}}
{{if .HasScaling}}<section>
<h2>Several goroutines at once</h2>
<p class="hint">The work that all do, as a multiple of the fewest goroutines' work. Dashed: perfect.</p>
<details><summary>A curve for each variant</summary>
<div class="spreads">
{{range .Works}}{{$work := .}}{{with scaling .}}{{/* */ -}}
<figure><figcaption>{{$work.Name}} <span class="hint">{{$work.What}}</span></figcaption>{{.}}</figure>
{{end}}{{end -}}
</div>
</details>
</section>
{{end -}}
<section>
<h2>Table</h2>
<p class="hint">{{.Legend}}</p>
{{$columns := .Columns -}}
<details><summary>All figures</summary>
<div class="scroll" tabindex="0">
<table>
<thead><tr>{{range $columns}}<th>{{.}}</th>{{end}}</tr></thead>
{{range .Works}}<tbody>
<tr><th colspan="{{len $columns}}">{{.Name}}: {{.What}}</th></tr>
{{range .Rows}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>
{{end -}}
</tbody>
{{end -}}
</table>
</div>
</details>
</section>
</body>
</html>
