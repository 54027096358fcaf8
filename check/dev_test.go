package check
import ("testing";"os";"time")
func TestDev(t *testing.T) {
	object := os.Getenv("OBJ")
	start := time.Now()
	p, err := Open(object+".o", Options{})
	if err != nil { t.Fatal(err) }
	if _, err := p.Check(p.AllFunctions()...); err != nil { t.Fatal(err) }
	t.Log(time.Since(start))
	compareStack(t, p, object+".su")
	compareCalls(t, p, object+".ci")
}
