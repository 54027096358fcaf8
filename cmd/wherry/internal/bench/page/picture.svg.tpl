<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -5 640 260" aria-hidden="true"><style>{{colours}}
svg { background: var(--paper); }
text { font: 12px "Liberation Sans", Arial, Helvetica, sans-serif; fill: var(--ink); }
path { stroke: var(--ink); stroke-width: .5; fill: none; }
rect { fill: var(--neutral); } .cgo { fill: var(--cgo); } .wherry { fill: var(--wherry); }</style>
<g transform="translate(125)">
{{range .Bars}}<text x="-8" y="{{.Y}}" dy="15" text-anchor="end">{{.Name}}</text>{{/* */ -}}
<rect class="{{(index .Dots 0).Kind}}" y="{{.Y}}" transform="translate(0 3)" width="{{.X}}" height="16"/>{{/* */ -}}
<text x="{{.X}}" y="{{.Y}}" dx="5" dy="15">{{(index .Cells 0).Text}}</text>
{{end -}}
<path d="M0 {{.Bottom}}H515"/>
{{range .Ticks}}<path d="M{{.X}} {{$.Bottom}}v8"/><text x="{{.X}}" y="{{$.Bottom}}" dy="22" text-anchor="middle">{{.Label}}</text>
{{end -}}
</g>
</svg>
