package report

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	rbacv1 "k8s.io/api/rbac/v1"
)

// docs/output.md describes every field of the JSON report, and no other.
func TestFieldsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/output.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(strings.ReplaceAll(string(page), "\r\n", "\n"), "| field | is |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	documented := map[string]bool{}
	for row := range strings.Lines(table) {
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(strings.Split(row, "|")[1], -1) {
			documented[m[1]] = true
		}
	}
	// Differences, and roles in them, have the same form everywhere; the page describes it once.
	alike := strings.NewReplacer("extensions[].changes[].", "identities[].changes[].", "removedRoles[].", "addedRoles[].")
	fields := map[string]bool{}
	for _, field := range jsonFields(reflect.TypeFor[jsonReport](), "") {
		fields[alike.Replace(field)] = true
	}
	if diff := cmp.Diff(fields, documented); diff != "" {
		t.Errorf("docs/output.md (-the report +the page):\n%s", diff)
	}
}

// jsonFields lists the paths of all fields of a type.
func jsonFields(of reflect.Type, path string) []string {
	switch {
	case of.Kind() == reflect.Pointer:
		return jsonFields(of.Elem(), path)
	case of.Kind() == reflect.Slice:
		return append([]string{path + "[]"}, jsonFields(of.Elem(), path+"[]")...)
	case of.Kind() != reflect.Struct || of == reflect.TypeFor[rbacv1.PolicyRule]():
		return nil
	}
	var fields []string
	for i := range of.NumField() {
		if of.Field(i).Anonymous {
			continue // the page says that these are the fields of another type
		}
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		field := strings.TrimPrefix(path+"."+name, ".")
		kind := of.Field(i).Type.Kind()
		if kind != reflect.Slice && kind != reflect.Struct { // a list is named with its brackets, an object by its fields
			fields = append(fields, field)
		}
		fields = append(fields, jsonFields(of.Field(i).Type, field)...)
	}
	return fields
}
