import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import {
  type Diagnostic,
  lintGutter,
  nextDiagnostic,
  previousDiagnostic,
  setDiagnostics,
} from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { ValidationProblem } from "@wye/pipeline-validator";
import { html } from "@wye-examples/page-parts/elements";
import { editorTheme } from "./editor-theme.js";

export interface EditorEvents {
  readonly onText: () => void;
  readonly onCursor: (position: number) => void;
}

/** The part of the page with the text. */
export interface TextEditor {
  readonly text: () => string;
  readonly cursor: () => number;
  /** Puts another text in place of all there is; that can be undone. */
  readonly replace: (text: string) => void;
  readonly showProblems: (problems: readonly ValidationProblem[]) => void;
  readonly goTo: (position: number) => void;
}

/**
 * The editor stands in a shadow tree: there CodeMirror adopts style sheets instead of writing style elements, which the
 * content security policy of the page forbids.
 */
export function createEditor(host: HTMLElement, events: EditorEvents): TextEditor {
  const root = host.attachShadow({ mode: "open" });
  const view = new EditorView({ root, parent: root, extensions: extensionsFor(events) });
  const clamp = (position: number): number => Math.max(0, Math.min(position, view.state.doc.length));
  return {
    text: () => view.state.doc.toString(),
    cursor: () => view.state.selection.main.head,
    replace: (text) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: 0 },
        annotations: isolateHistory.of("full"),
        scrollIntoView: true,
      }),
    showProblems: (problems) => {
      const diagnostics = problems.map((problem): Diagnostic => {
        const { severity, message, range } = problem;
        const [from, to] = [clamp(range?.start.offset ?? 0), clamp(range?.end.offset ?? 0)];
        return { from, to, severity, message, renderMessage: () => messageOf(problem) };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goTo: (position) => {
      const anchor = clamp(position);
      view.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: "center" }),
      });
      view.focus();
    },
  };
}

function extensionsFor({ onText, onCursor }: EditorEvents): Extension {
  return [
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    yaml(),
    // Tab is left to the browser, so that the keyboard leads out of the editor as well.
    keymap.of([
      { key: "F8", run: nextDiagnostic },
      { key: "Shift-F8", run: previousDiagnostic },
      ...defaultKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...searchKeymap,
    ]),
    EditorView.contentAttributes.of({ "aria-label": "Pipeline specification", tabindex: "0" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onText();
      if (update.selectionSet) onCursor(update.state.selection.main.head);
    }),
    editorTheme,
  ];
}

/** The list of all rules, with an anchor for each. */
const rules = "https://github.com/wye/wye/blob/main/docs/pipelines/rules.md";

function messageOf({ code, message, hint }: ValidationProblem): Node {
  return html(
    "div",
    {},
    message,
    ...(hint === undefined ? [] : [html("div", { class: "hint" }, hint)]),
    html(
      "div",
      { class: "rule" },
      html("a", { href: `${rules}#${code}`, target: "_blank", rel: "noopener" }, code),
    ),
  );
}
