// Lays patches over the specification of a workflow with the calls of the back end of Kubeflow Pipelines: for each line
// {"spec": …, "patch": …} it prints what becomes of the specification, or an empty line when it is refused.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	argo "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

func patched(line []byte) ([]byte, error) {
	var given struct{ Spec, Patch json.RawMessage }
	if err := json.Unmarshal(line, &given); err != nil {
		panic(err)
	}
	var spec argo.WorkflowSpec
	if err := json.Unmarshal(given.Spec, &spec); err != nil {
		panic(err)
	}
	before, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	after, err := strategicpatch.StrategicMergePatch(before, given.Patch, argo.WorkflowSpec{})
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(after, &spec); err != nil {
		return nil, err
	}
	return json.Marshal(spec)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<28)
	for lines.Scan() {
		spec, err := patched(lines.Bytes())
		if err != nil {
			spec = nil
		}
		fmt.Println(string(spec))
	}
}
