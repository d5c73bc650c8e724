import { baseKeymap, chainCommands, exitCode, lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import { inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { DOMParser, DOMSerializer, type Mark, type MarkType, type Node, type NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, EditorState, type Plugin, TextSelection } from 'prosemirror-state';
import { type DirectEditorProps, EditorView } from 'prosemirror-view';
import { sanitiseHtml } from './sanitise-html.ts';
import { htmlSchema } from './schema.ts';
import { withWordLists } from './word-lists.ts';

const { nodes, marks } = htmlSchema;
const markOf = (name: string) => marks[name] as MarkType;
const nodeOf = (name: string) => nodes[name] as NodeType;
const lists = [nodeOf('bullet_list'), nodeOf('ordered_list')];
const listItem = nodeOf('list_item');

/** A toolbar button: its command, and whether the selection already has the format. */
export interface Tool {
  readonly run: Command;
  readonly isOn: (state: EditorState) => boolean;
}

export const tools = {
  bold: markTool('strong'),
  italic: markTool('em'),
  underline: markTool('underline'),
  strike: markTool('strike'),
  heading: toggled(
    (state) => state.selection.$from.parent.type === nodeOf('heading'),
    setBlockType(nodeOf('heading'), { level: 3 }),
    setBlockType(nodeOf('paragraph')),
  ),
  bullets: listTool(nodeOf('bullet_list')),
  numbers: listTool(nodeOf('ordered_list')),
  quote: toggled((state) => isInside(state, nodeOf('blockquote')), wrapIn(nodeOf('blockquote')), lift),
  plain: { run: removeFormat, isOn: () => false },
} as const satisfies Readonly<Record<string, Tool>>;

function markTool(name: string): Tool {
  const type = markOf(name);
  return { run: toggleMark(type), isOn: (state) => hasMark(state, type) };
}

function toggled(isOn: Tool['isOn'], on: Command, off: Command): Tool {
  return { isOn, run: (state, dispatch, view) => (isOn(state) ? off : on)(state, dispatch, view) };
}

/** Turns the selection into a list, changes the kind of a list, or turns its items back into paragraphs. */
function listTool(type: NodeType): Tool {
  const isOn = (state: EditorState) => innermostList(state)?.node.type === type;
  const change: Command = (state, dispatch) => {
    const list = innermostList(state);
    if (!list) return wrapInList(type)(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(list.at, type));
    return true;
  };
  return toggled(isOn, change, liftListItem(listItem));
}

function innermostList({ selection: { $from } }: EditorState): { readonly node: Node; readonly at: number } | null {
  for (let depth = $from.depth; depth > 0; depth--) {
    if (lists.includes($from.node(depth).type)) return { node: $from.node(depth), at: $from.before(depth) };
  }
  return null;
}

function isInside({ selection: { $from } }: EditorState, type: NodeType): boolean {
  return Array.from({ length: $from.depth }, (_, at) => $from.node(at + 1)).some((node) => node.type === type);
}

function hasMark({ selection, storedMarks, doc }: EditorState, type: MarkType): boolean {
  const { from, to, empty, $from } = selection;
  return empty ? type.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, type);
}

/** Removes marks and headings. */
function removeFormat(state: EditorState, dispatch?: (change: EditorState['tr']) => void): boolean {
  const { from, to } = state.selection;
  dispatch?.(state.tr.removeMark(from, to).setBlockType(from, to, nodeOf('paragraph')).setStoredMarks([]));
  return true;
}

interface LinkRange {
  readonly href: string;
  readonly from: number;
  readonly to: number;
}

/** The link at the caret, or the first one in the selection. */
export function linkAt({ doc, selection: { from, to, empty } }: EditorState): LinkRange | null {
  const margin = empty ? 1 : 0;
  let found: LinkRange | null = null;
  doc.nodesBetween(Math.max(0, from - margin), Math.min(doc.content.size, to + margin), (node, at, parent, index) => {
    const mark = markOf('link').isInSet(node.marks);
    if (mark && parent && !found) found = { href: String(mark.attrs.href), ...rangeOf(mark, parent, at, index) };
    return !found;
  });
  return found;
}

/** The range of a mark around one of its nodes. */
function rangeOf(mark: Mark, parent: Node, at: number, index: number): Pick<LinkRange, 'from' | 'to'> {
  const has = (child: number) => mark.isInSet(parent.maybeChild(child)?.marks ?? []);
  const sizeOf = (child: number) => parent.child(child).nodeSize;
  let [from, to] = [at, at + sizeOf(index)];
  for (let child = index - 1; has(child); child--) from -= sizeOf(child);
  for (let child = index + 1; has(child); child++) to += sizeOf(child);
  return { from, to };
}

/** Links the selection. Without a selection the address becomes the text; an empty address removes the link. */
export function setLink(href: string): Command {
  return (state, dispatch) => {
    const type = markOf('link');
    const old = linkAt(state);
    const { from, to, empty } = state.selection;
    const range = old ? { from: Math.min(old.from, from), to: Math.max(old.to, to) } : { from, to };
    const change = state.tr.removeMark(range.from, range.to, type);
    if (href === '') dispatch?.(change);
    else if (empty && !old) {
      const words = htmlSchema.text(href.replace(/^(mailto|tel):/, ''), [type.create({ href })]);
      dispatch?.(change.replaceSelectionWith(words, false));
    } else dispatch?.(change.addMark(range.from, range.to, type.create({ href })));
    return true;
  };
}

const breakLine: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodeOf('hard_break').create()).scrollIntoView());
  return true;
});

/**
 * Markdown syntax at the start of a line creates lists, quotes and headings. Tab moves to the next field of the form.
 */
function plugins(): Plugin[] {
  return [
    inputRules({
      rules: [
        wrappingInputRule(/^\s*([-*])\s$/, nodeOf('bullet_list')),
        wrappingInputRule(/^1\.\s$/, nodeOf('ordered_list')),
        wrappingInputRule(/^>\s$/, nodeOf('blockquote')),
        textblockTypeInputRule(/^(#{1,4})\s$/, nodeOf('heading'), ([, signs = '']) => ({ level: signs.length })),
      ],
    }),
    keymap({
      'Mod-b': tools.bold.run,
      'Mod-i': tools.italic.run,
      'Mod-u': tools.underline.run,
      'Mod-Shift-x': tools.strike.run,
      'Mod-Shift-8': tools.bullets.run,
      'Mod-Shift-7': tools.numbers.run,
      'Mod-z': undo,
      'Mod-y': redo,
      'Mod-Shift-z': redo,
      'Mod-]': sinkListItem(listItem),
      'Mod-[': liftListItem(listItem),
      'Shift-Enter': breakLine,
      Enter: splitListItem(listItem),
    }),
    // Mod-Enter belongs to the form.
    keymap(Object.fromEntries(Object.entries(baseKeymap).filter(([keys]) => keys !== 'Mod-Enter'))),
    history(),
  ];
}

interface EditorOptions {
  readonly html: string;
  readonly attributes: DirectEditorProps['attributes'];
  /** Called with null if only the selection changed. `html` is null if no text is left. */
  readonly onChange: (change: { readonly html: string | null } | null) => void;
}

export function createEditor(place: HTMLElement, { html, attributes, onChange }: EditorOptions): EditorView {
  const view: EditorView = new EditorView(place, {
    state: EditorState.create({ doc: toDocument(html), plugins: plugins() }),
    attributes: attributes ?? {},
    transformPastedHTML: (pasted) => sanitiseHtml(withWordLists(pasted)),
    dispatchTransaction(change) {
      view.updateState(view.state.apply(change));
      onChange(change.docChanged ? { html: toHtml(view.state.doc) } : null);
    },
  });
  return view;
}

/**
 * Shows a value that was changed elsewhere, such as by another user or an onchange. Undo does not go back before it.
 */
export function showHtml(view: EditorView, html: string): void {
  const { doc, selection, tr } = view.state;
  const next = toDocument(html);
  if (next.eq(doc)) return;
  const change = tr.replaceWith(0, doc.content.size, next.content).setMeta('addToHistory', false);
  const caret = change.doc.resolve(Math.min(selection.head, change.doc.content.size));
  view.updateState(view.state.apply(change.setSelection(TextSelection.near(caret))));
}

function toDocument(html: string): Node {
  const page = new window.DOMParser().parseFromString(sanitiseHtml(html), 'text/html');
  return DOMParser.fromSchema(htmlSchema).parse(page.body);
}

function toHtml(doc: Node): string | null {
  if (isEmpty(doc)) return null;
  const box = document.createElement('div');
  box.append(DOMSerializer.fromSchema(htmlSchema).serializeFragment(doc.content));
  return box.innerHTML;
}

export function isEmpty(doc: Node): boolean {
  let isRuled = false;
  doc.descendants((node) => {
    isRuled ||= node.type === nodeOf('horizontal_rule');
  });
  return !isRuled && doc.textContent.trim() === '';
}
