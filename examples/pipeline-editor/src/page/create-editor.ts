import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import {
  type Action,
  type Diagnostic,
  forEachDiagnostic,
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
  type ViewUpdate,
} from "@codemirror/view";
import type { ValidationProblem } from "@wye/pipeline-validator";
import { html } from "@wye-examples/page-parts/elements";
import type { ProblemAid } from "../check/check-messages.js";
import type { DeclaredNames } from "../graph/names-of.js";
import { nameAt } from "../text/field-at.js";
import { editorTheme } from "./editor-theme.js";

export interface EditorEvents {
  /** `isOther`: the text was put in place of all there was. */
  readonly onText: (isOther: boolean) => void;
  readonly onCursor: (position: number) => void;
  /** What can be named, as far as it is known. */
  readonly names: () => DeclaredNames | undefined;
}

/** The part of the page with the text. */
export interface TextEditor {
  readonly text: () => string;
  readonly cursor: () => number;
  /** Puts another text in place of all there is; that can be undone. */
  readonly replace: (text: string) => void;
  /** Marks problems in the text, with what helps: one aid for each. */
  readonly showProblems: (problems: readonly ValidationProblem[], aids: readonly ProblemAid[]) => void;
  readonly goTo: (position: number) => void;
  /** Puts in place what helps with a problem, counted as they were shown. */
  readonly fix: (place: number) => void;
}

/**
 * The editor stands in a shadow tree: there CodeMirror adopts style sheets instead of writing style elements, which the
 * content security policy of the page forbids.
 */
export function createEditor(host: HTMLElement, events: EditorEvents): TextEditor {
  const root = host.attachShadow({ mode: "open" });
  const view = new EditorView({ root, parent: root, extensions: extensionsFor(events) });
  let diagnostics: readonly Diagnostic[] = [];
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
    showProblems: (problems, aids) => {
      diagnostics = problems.map((problem, place): Diagnostic => {
        const { severity, message, range } = problem;
        const [from, to] = [clamp(range?.start.offset ?? 0), clamp(range?.end.offset ?? 0)];
        const { fix, help } = aids[place] ?? {};
        const actions = fix === undefined ? [] : [replacing(fix, from)];
        return { from, to, severity, message, actions, renderMessage: () => messageOf(problem, help) };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    fix: (place) => {
      const wanted = diagnostics[place];
      if (replaceFirst(view, (diagnostic) => diagnostic === wanted)) view.focus();
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

/** A button that puts another name in place of a misspelt one, wherever its problem has moved to since. */
function replacing(
  { from: start, to: end, text }: NonNullable<ProblemAid["fix"]>,
  problemFrom: number,
): Action {
  return {
    name: `Replace by “${text}”`,
    apply: (view, from) => {
      const [at, length] = [from + start - problemFrom, end - start];
      view.dispatch({ changes: { from: at, to: at + length, insert: text }, userEvent: "input.fix" });
    },
  };
}

/** Does the first replacement at the cursor. */
function replaceAtCursor(view: EditorView): boolean {
  const { head } = view.state.selection.main;
  return replaceFirst(view, (_, from, to) => from <= head && head <= to);
}

/** Does the replacement of the first problem that is wanted and has one. */
function replaceFirst(
  view: EditorView,
  isWanted: (diagnostic: Diagnostic, from: number, to: number) => boolean,
): boolean {
  let replace: (() => void) | undefined;
  forEachDiagnostic(view.state, (diagnostic, from, to) => {
    const action = diagnostic.actions?.[0];
    if (action !== undefined && isWanted(diagnostic, from, to))
      replace ??= () => action.apply(view, from, to);
  });
  replace?.();
  return replace !== undefined;
}

function completeNames(
  { state, pos, explicit }: CompletionContext,
  names: DeclaredNames | undefined,
): CompletionResult | null {
  const begun = nameAt(state.sliceDoc(0, pos), pos);
  if (begun === undefined || names === undefined || (begun.from === pos && !explicit)) return null;
  const options = names[begun.kind].map((label) => ({ label, type: "variable", detail: begun.kind }));
  return { from: begun.from, options, validFor: /^[\w.-]*$/ };
}

function extensionsFor({ onText, onCursor, names }: EditorEvents): Extension {
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
    autocompletion({ override: [(context) => completeNames(context, names())], icons: false }),
    // Tab is left to the browser, so that the keyboard leads out of the editor as well.
    keymap.of([
      { key: "F8", run: nextDiagnostic },
      { key: "Shift-F8", run: previousDiagnostic },
      { key: "Mod-.", run: replaceAtCursor },
      ...defaultKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...searchKeymap,
    ]),
    EditorView.contentAttributes.of({ "aria-label": "Pipeline specification", tabindex: "0" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onText(isReplaced(update));
      if (update.selectionSet) onCursor(update.state.selection.main.head);
    }),
    editorTheme,
  ];
}

/** Whether nothing is left of the text that there was. */
function isReplaced({ changes, startState }: ViewUpdate): boolean {
  let isWhole = false;
  changes.iterChangedRanges((from, to) => {
    isWhole ||= from === 0 && to === startState.doc.length;
  });
  return isWhole;
}

function messageOf({ code, message, hint }: ValidationProblem, help: string | undefined): Node {
  const rule = help === undefined ? code : html("a", { href: help, target: "_blank", rel: "noopener" }, code);
  return html(
    "div",
    {},
    message,
    ...(hint === undefined ? [] : [html("div", { class: "hint" }, hint)]),
    html("div", { class: "rule" }, rule),
  );
}
