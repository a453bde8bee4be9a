package snapshot

import (
	"errors"
	"slices"
	"testing"
)

// refuse writes a snapshot, calls Refuse, and returns the name.
func refuse(t testing.TB, f Folder, content string) (name string) {
	t.Helper()
	w, err := Create(f.Dir)
	if err != nil {
		t.Fatal(err)
	}
	section, err := w.Section(1, minAlign)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := section.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	info, err := w.Refuse()
	if err != nil || info.Path != f.Path(info.Hash+refusedSuffix) || info.Existed {
		t.Fatalf("%+v, %v", info, err)
	}
	return info.Hash + refusedSuffix
}

func TestARefusedSnapshotIsNotAGeneration(t *testing.T) {
	f := Folder{Dir: t.TempDir()}
	name := refuse(t, f, "a")
	if generations, err := f.Generations(); err != nil || len(generations) > 0 {
		t.Errorf("generations %v, %v", generations, err)
	}
	if err := f.Switch(name); err == nil {
		t.Error("CURRENT names a refused snapshot")
	}
	if _, err := f.Current(); !errors.Is(err, ErrNoCurrent) {
		t.Error(err)
	}
	again := refuse(t, f, "b")
	if err := f.ClearRefused(again); err != nil {
		t.Fatal(err)
	}
	if got := names(t, f.Dir); !slices.Equal(got, []string{again}) {
		t.Errorf("the folder has %v, want only %s", got, again)
	}
}
