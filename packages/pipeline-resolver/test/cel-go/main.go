// Says what cel-go, set up as the back end of Kubeflow Pipelines sets it up, makes of trigger conditions. Standard input is a
// JSON stream: an ExecutorInput, then expressions as texts. The answer is one letter for each: c (does not compile), e (fails
// when it runs), t (true), f (false).
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
)

func main() {
	decoder := json.NewDecoder(bufio.NewReader(os.Stdin))
	env, variables := setUp(os.Args[1], decoder)
	for {
		var text string
		err := decoder.Decode(&text)
		if err == io.EOF {
			return
		}
		check(err)
		fmt.Print(answer(env, variables, text))
	}
}

func answer(env *cel.Env, variables any, text string) string {
	compiled, issues := env.Compile(text)
	if issues.Err() != nil {
		return "c"
	}
	program, err := env.Program(compiled)
	check(err)
	switch value, _, err := program.Eval(variables); {
	case err == nil && value == types.True:
		return "t"
	case err == nil && value == types.False:
		return "f"
	default:
		return "e"
	}
}

// The message types come from the file descriptor set that is named on the command line.
func setUp(descriptors string, decoder *json.Decoder) (*cel.Env, any) {
	bytes, err := os.ReadFile(descriptors)
	check(err)
	set := &descriptorpb.FileDescriptorSet{}
	check(proto.Unmarshal(bytes, set))
	files, err := protodesc.NewFiles(set)
	check(err)
	found, err := files.FindDescriptorByName("ml_pipelines.ExecutorInput")
	check(err)
	descriptor := found.(protoreflect.MessageDescriptor)
	env, err := cel.NewEnv(parseJson(), cel.TypeDescs(files), cel.DeclareContextProto(descriptor))
	check(err)
	var raw json.RawMessage
	check(decoder.Decode(&raw))
	input := dynamicpb.NewMessage(descriptor)
	check(protojson.Unmarshal(raw, input))
	variables, err := cel.ContextProtoVars(input)
	check(err)
	return env, variables
}

func parseJson() cel.EnvOption {
	return cel.Function("parseJson", cel.Overload("parse_json", []*cel.Type{cel.StringType}, cel.DynType,
		cel.UnaryBinding(func(text ref.Val) ref.Val {
			value := &structpb.Value{}
			if err := value.UnmarshalJSON([]byte(text.Value().(string))); err != nil {
				return types.NewErr("failed to unmarshal JSON: %s", err)
			}
			return types.DefaultTypeAdapter.NativeToValue(value)
		})))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
