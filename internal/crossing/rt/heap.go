package rt

// Heap says how the runtime finds the span of an address, and what a pointer check
// reads: byte offsets, and the constants behind the names.
type Heap struct {
	MHeapArenas    int64 `json:"mheap_arenas"`
	HeapArenaSpans int64 `json:"heaparena_spans"`
	SpanStart      int64 `json:"mspan_startaddr"`
	SpanLimit      int64 `json:"mspan_limit"`
	SpanClass      int64 `json:"mspan_spanclass"` // odd: its objects have no pointers
	SpanState      int64 `json:"mspan_state"`
	ModuleData     int64 `json:"moduledata_data"`
	ModuleEdata    int64 `json:"moduledata_edata"`
	ModuleBss      int64 `json:"moduledata_bss"`
	ModuleEbss     int64 `json:"moduledata_ebss"`
	ModuleNext     int64 `json:"moduledata_next"`
	TypePtrBytes   int64 `json:"type_ptrbytes"` // 0: it has no pointers
	TypeKind       int64 `json:"type_kind"`
	PtrElem        int64 `json:"ptrtype_elem"`
	SliceElem      int64 `json:"slicetype_elem"`

	ArenaBase  int64 `json:"arena_base"` // subtracted from an address
	ArenaBytes int64 `json:"arena_bytes"`
	ArenaBits  int64 `json:"arena_bits"` // there are 1 << ArenaBits
	ArenaPages int64 `json:"arena_pages"`
	PageBytes  int64 `json:"page_bytes"`
	SpanInUse  int64 `json:"span_in_use"` // state of a span of the heap
}

var heapFields = []field{
	{"mheap.arenas", [2]string{"runtime.mheap", "arenas"}, "", 8, func(o *Offsets) *int64 { return &o.MHeapArenas }, pointerChecks},
	{"heapArena.spans", [2]string{"runtime.heapArena", "spans"}, "", 65536,
		func(o *Offsets) *int64 { return &o.HeapArenaSpans }, pointerChecks},
	{"mspan.startAddr", [2]string{"runtime.mspan", "startAddr"}, "", 8, func(o *Offsets) *int64 { return &o.SpanStart }, pointerChecks},
	{"mspan.limit", [2]string{"runtime.mspan", "limit"}, "", 8, func(o *Offsets) *int64 { return &o.SpanLimit }, pointerChecks},
	{"mspan.spanclass", [2]string{"runtime.mspan", "spanclass"}, "", 1, func(o *Offsets) *int64 { return &o.SpanClass }, pointerChecks},
	{"mspan.state", [2]string{"runtime.mspan", "state"}, "", 1, func(o *Offsets) *int64 { return &o.SpanState }, pointerChecks},
	{"moduledata.data", [2]string{"runtime.moduledata", "data"}, "", 8, func(o *Offsets) *int64 { return &o.ModuleData }, pointerChecks},
	{"moduledata.edata", [2]string{"runtime.moduledata", "edata"}, "", 8, func(o *Offsets) *int64 { return &o.ModuleEdata }, pointerChecks},
	{"moduledata.bss", [2]string{"runtime.moduledata", "bss"}, "", 8, func(o *Offsets) *int64 { return &o.ModuleBss }, pointerChecks},
	{"moduledata.ebss", [2]string{"runtime.moduledata", "ebss"}, "", 8, func(o *Offsets) *int64 { return &o.ModuleEbss }, pointerChecks},
	{"moduledata.next", [2]string{"runtime.moduledata", "next"}, "", 8, func(o *Offsets) *int64 { return &o.ModuleNext }, pointerChecks},
	{"abi.Type.PtrBytes", [2]string{"internal/abi.Type", "PtrBytes"}, "", 8,
		func(o *Offsets) *int64 { return &o.TypePtrBytes }, pointerChecks},
	{"abi.Type.Kind_", [2]string{"internal/abi.Type", "Kind_"}, "", 1, func(o *Offsets) *int64 { return &o.TypeKind }, pointerChecks},
	{"abi.PtrType.Elem", [2]string{"internal/abi.PtrType", "Elem"}, "", 8, func(o *Offsets) *int64 { return &o.PtrElem }, pointerChecks},
	{"abi.SliceType.Elem", [2]string{"internal/abi.SliceType", "Elem"}, "", 8, func(o *Offsets) *int64 { return &o.SliceElem }, pointerChecks},
}

const pointerChecks = "cgo's pointer check ends at once where there is nothing to find"

// A constant of the runtime.
type constant struct {
	name string
	get  func(*Offsets) *int64
	why  string
}

var constants = []constant{
	{"runtime.arenaBaseOffsetUintptr", func(o *Offsets) *int64 { return &o.ArenaBase }, pointerChecks},
	{"runtime.heapArenaBytes", func(o *Offsets) *int64 { return &o.ArenaBytes }, pointerChecks},
	{"runtime.arenaL2Bits", func(o *Offsets) *int64 { return &o.ArenaBits }, pointerChecks},
	{"runtime.pagesPerArena", func(o *Offsets) *int64 { return &o.ArenaPages }, pointerChecks},
	{"runtime.pageSize", func(o *Offsets) *int64 { return &o.PageBytes }, pointerChecks},
	{"runtime.mSpanInUse", func(o *Offsets) *int64 { return &o.SpanInUse }, pointerChecks},
}
