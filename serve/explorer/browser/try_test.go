package browser_test
import ("testing"; "os"; "sabine/serve/explorer/browser"; "fmt")
func TestTry(t *testing.T) {
	site := os.Getenv("SITE"); if site == "" { t.Skip() }
	s := &browser.Server{URL: site, API: "/api"}
	d, _ := os.ReadFile("../../../bench/explorer/drawn.js")
	b := browser.Open(t, s, browser.View{}, "")
	b.Expect("favicon")
	b.Inject(string(d)); b.Goto("/"); b.Wait("a result", "drawn.first > 0")
	fmt.Println(browser.Eval[float64](b, "drawn.first"), b.Loaded("Document","Script","Stylesheet"))
	for _, r := range "akustikpaneel wood" { b.Focus("searchbox", ""); b.Press(string(r)); b.Wait("result "+string(r), "drawn.settled()") }
	fmt.Println(browser.Eval[[]float64](b, "drawn.times"))
	b.CheckAccess()
	for _, r := range []string{"link","searchbox","button"} { for _, c := range b.Controls(r) { fmt.Println(c.Role, c.Name, c.States, c.Value) } }
}
