// Prints the fields of the specification of a workflow, as the types of Argo and Kubernetes read and print them:
// go run ./fields > ../../src/gen/argo-fields.ts
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	argo "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Types that read themselves.
var own = map[reflect.Type]string{
	reflect.TypeFor[argo.AnyString]():     "any-text",
	reflect.TypeFor[argo.Amount]():        "json",
	reflect.TypeFor[argo.Item]():          "json",
	reflect.TypeFor[argo.Object]():        "json",
	reflect.TypeFor[argo.Plugin]():        "plugin",
	reflect.TypeFor[resource.Quantity]():  "quantity",
	reflect.TypeFor[intstr.IntOrString](): "int-or-text",
	reflect.TypeFor[meta.Time]():          "time",
	reflect.TypeFor[meta.FieldsV1]():      "json",
}

var scalars = map[reflect.Kind]string{
	reflect.String: "text", reflect.Bool: "bool", reflect.Int32: "int", reflect.Int64: "long",
	reflect.Uint64: "ulong", reflect.Int: "long", reflect.Float64: "number",
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()
var types = map[string]reflect.Type{}
var lines = map[string]string{}

func nameOf(t reflect.Type) string {
	name := t.Name()
	// Kubernetes has one, too.
	if name == "HTTPHeader" && strings.Contains(t.PkgPath(), "argoproj") {
		name = "ArgoHTTPHeader"
	}
	if known, ok := types[name]; ok && known != t {
		panic("two types " + name + ": " + known.PkgPath() + ", " + t.PkgPath())
	}
	return name
}

// What a value has to be; [] is a list, [name] one that is merged by that field, {} a map.
func kindOf(t reflect.Type, mergeKey string) string {
	if t.Kind() == reflect.Pointer {
		return kindOf(t.Elem(), mergeKey)
	}
	if kind, ok := own[t]; ok {
		return kind
	}
	if t == reflect.TypeFor[argo.ParallelSteps]() {
		return kindOf(reflect.TypeFor[[]argo.WorkflowStep](), "")
	}
	if reflect.PointerTo(t).Implements(unmarshaler) && t.Name() != "" {
		panic("reads itself: " + t.String())
	}
	switch t.Kind() {
	case reflect.Struct:
		visit(t)
		return nameOf(t)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "base64"
		}
		return kindOf(t.Elem(), "") + "[" + mergeKey + "]"
	case reflect.Map:
		return kindOf(t.Elem(), "") + "{}"
	}
	if kind, ok := scalars[t.Kind()]; ok {
		return kind
	}
	panic("no kind for " + t.String())
}

func visit(t reflect.Type) {
	name := nameOf(t)
	if _, ok := types[name]; ok {
		return
	}
	types[name] = t
	fields := map[string]string{}
	collect(t, fields)
	names := slices.Sorted(maps.Keys(fields))
	for i, field := range names {
		names[i] = field + fields[field]
	}
	lines[name] = strings.Join(names, " ")
}

func collect(t reflect.Type, fields map[string]string) {
	for i := range t.NumField() {
		field := t.Field(i)
		tag := strings.Split(field.Tag.Get("json"), ",")
		if tag[0] == "-" || !field.IsExported() {
			continue
		}
		if tag[0] == "" {
			if !field.Anonymous {
				panic("no name: " + t.String() + "." + field.Name)
			}
			inner := field.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			collect(inner, fields)
			continue
		}
		mergeKey := ""
		if strings.Contains(field.Tag.Get("patchStrategy"), "merge") {
			mergeKey = field.Tag.Get("patchMergeKey")
		}
		kind := kindOf(field.Type, mergeKey)
		omitsEmpty, omitsZero := slices.Contains(tag, "omitempty"), slices.Contains(tag, "omitzero")
		isStruct, isPointer := field.Type.Kind() == reflect.Struct, field.Type.Kind() == reflect.Pointer
		flag := ""
		switch {
		case isPointer && !omitsEmpty:
			flag = "?"
		case !omitsZero && (isStruct || !omitsEmpty):
			flag = "!"
		case isPointer && field.Type.Elem().Kind() != reflect.Struct, isStruct:
			flag = "*"
		}
		if kind == "text" {
			fields[tag[0]] = flag
		} else {
			fields[tag[0]] = ":" + kind + flag
		}
	}
}

func main() {
	visit(reflect.TypeFor[argo.WorkflowSpec]())
	fmt.Print(header)
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		fmt.Printf("  %s: %q,\n", name, lines[name])
	}
	fmt.Println("};")
}

const header = `// Made by scripts/argo/fields. DO NOT EDIT.

/*!
 * The fields of the specification of a workflow, after the types of Argo Workflows 3.7.6 (copyright the Argo authors) and Kubernetes 0.36.3
 * (copyright the Kubernetes authors), both under the Apache License, Version 2.0: LICENSE-Apache-2.0.txt of this package.
 */

/**
 * The fields of each type: "name" is a text, "name:kind" something else. "kind[]" is a list, "kind[name]" one whose items are found by that
 * field, "kind{}" a map; a capital means another type. What ends in "!" is printed even where it is not there, in "?" as null, in "*" when it is empty.
 */
export const argoFields: Readonly<Record<string, string>> = {
`
