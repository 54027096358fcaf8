package main

// {{range $i := .Parts}}int part{{$i}}(int sum);
// {{end}}
import "C"

import "fmt"

func main() {
	sum := C.int(0)
{{- range $i := .Parts}}
	sum = C.part{{$i}}(sum)
{{- end}}
	lines := 0
{{- range .Lines}}
	lines++ // {{.}}
{{- end}}
	fmt.Println(int(sum) + lines)
}
