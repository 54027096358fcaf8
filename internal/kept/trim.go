package kept

import (
	"io/fs"
	"slices"
	"strings"
	"time"
)

// trim removes, once an hour, what nobody has used for long, what killed builds left, and
// where all entries together are too large those whose last use is longest ago.
func (f *Folder) trim() {
	if last, err := f.root.Stat(trimmed); err == nil && time.Since(last.ModTime()) < time.Hour {
		return
	}
	f.write(trimmed, nil)
	var size int64
	var young []fs.FileInfo
	for _, info := range f.entries() {
		limit := unused
		if strings.HasPrefix(info.Name(), temporary) || strings.HasSuffix(info.Name(), locked) {
			limit = interrupted
		}
		switch {
		case time.Since(info.ModTime()) > limit:
			f.unlink(info.Name())
			f.root.Remove(info.Name())
		case limit == unused && info.Mode().IsRegular() && info.Name() != trimmed:
			size, young = size+info.Size(), append(young, info)
		}
	}
	slices.SortFunc(young, func(x, y fs.FileInfo) int { return x.ModTime().Compare(y.ModTime()) })
	for _, info := range young {
		if size <= f.most {
			return
		}
		size -= info.Size()
		f.root.Remove(info.Name())
	}
}

func (f *Folder) entries() (list []fs.FileInfo) {
	dir, err := f.root.Open(".")
	if err != nil {
		return nil
	}
	defer dir.Close()
	all, _ := dir.ReadDir(-1)
	for _, entry := range all {
		if info, err := entry.Info(); err == nil {
			list = append(list, info)
		}
	}
	return list
}

// Size returns how many bytes are kept.
func (f *Folder) Size() (bytes int64) {
	if f == nil {
		return 0
	}
	for _, info := range f.entries() {
		if info.Mode().IsRegular() {
			bytes += info.Size()
		}
	}
	return bytes
}
