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
<p class="hint">Bars: the median time of one operation on one goroutine, with its 95&nbsp;% interval; <span class="cgo">cgo</span>, <span class="wherry">wherry</span>, others. Each piece of work has a scale of its own, which begins at 0.</p>
<p class="hint">{{.Legend}}</p>
</header>
{{range .Works}}
<section>
<h2>{{.Name}}: {{.What}}</h2>
{{$bars := bars . -}}
<div class="overview bars">
{{range $bars.Points}}<div class="line"><span class="name">{{.Series}}</span><span class="ratio {{.Kind}}" title="{{.Title}}">{{.Text}}</span><span class="strip">{{$bars.Strip .}}</span></div>
{{end -}}
</div>
<div class="plots">
{{with scaling .}}<figure><figcaption>Work done by several goroutines at once, as a multiple of one; dashed: perfect</figcaption>{{.}}</figure>
{{end -}}
<figure><figcaption>All measured times of one operation; a dot is one round, the axis is logarithmic</figcaption>{{distribution .}}</figure>
</div>
<details><summary>Table</summary>
<div class="scroll" tabindex="0">
<table>
<thead><tr>{{range .Columns}}<th>{{.}}</th>{{end}}</tr></thead>
<tbody>
{{range .Rows}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>
{{end -}}
</tbody>
</table>
</div>
</details>
</section>
{{end -}}
</body>
</html>
