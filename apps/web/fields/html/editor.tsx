import {
  Bold,
  Heading,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  RemoveFormatting,
  Strikethrough,
  TextQuote,
  Underline,
} from 'lucide-react';
import type { Command, EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { type RefObject, useEffect, useId, useReducer, useRef, useState } from 'react';
import { mark, t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import type { FieldEditProps } from '../define-field.ts';
import { safeHref } from '../safe-href.ts';
import { createEditor, isEmpty, linkAt, setLink, showHtml, tools } from './create-editor.ts';
import './styles.css';

const buttons: readonly (readonly [tool: keyof typeof tools, label: string, Face: LucideIcon])[] = [
  ['bold', mark('Bold'), Bold],
  ['italic', mark('Italic'), Italic],
  ['underline', mark('Underline'), Underline],
  ['strike', mark('Strikethrough'), Strikethrough],
  ['heading', mark('Heading'), Heading],
  ['bullets', mark('Bullets'), List],
  ['numbers', mark('Numbers'), ListOrdered],
  ['quote', mark('Quote'), TextQuote],
  ['plain', mark('Plain text'), RemoveFormatting],
];
const face = { size: 16, strokeWidth: 1.75, className: 'icon', 'aria-hidden': true, focusable: false } as const;

/** Edits formatted text in place. The editor's schema allows exactly what the server keeps. */
export function HtmlEditor(props: FieldEditProps) {
  const { label } = props;
  const place = useRef<HTMLDivElement>(null);
  const linkButton = useRef<HTMLButtonElement>(null);
  const [linking, setLinking] = useState<string | null>(null);
  const view = useEditor(place, props);
  const run = (command: Command) => {
    const editor = view.current;
    if (!editor) return;
    editor.focus();
    command(editor.state, editor.dispatch, editor);
  };
  const state = view.current?.state;
  const finishLink = (href: string) => {
    setLinking(null);
    run(setLink(href));
  };
  return (
    <div className="panel rings html-editor">
      <Toolbar label={label} state={state} onRun={run}>
        <button
          className="middle round-s mut hovers inks lights"
          ref={linkButton}
          type="button"
          aria-label={t('Link')}
          title={t('Link')}
          aria-haspopup="dialog"
          aria-expanded={linking !== null}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => setLinking((state && linkAt(state)?.href) ?? '')}
        >
          <Link {...face} />
        </button>
      </Toolbar>
      {linking !== null && (
        <LinkPopover
          anchor={linkButton}
          address={linking}
          onLink={finishLink}
          onUnlink={() => finishLink('')}
          onClose={() => setLinking(null)}
        />
      )}
      <div ref={place} />
    </div>
  );
}

/** Creates the editor, keeps it in sync with the field's value, and renders again when text or selection changes. */
function useEditor(place: RefObject<HTMLDivElement | null>, props: FieldEditProps): RefObject<EditorView | null> {
  const view = useRef<EditorView | null>(null);
  const given = useRef(props);
  given.current = props;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const html = typeof props.value === 'string' ? props.value : '';
  const last = useRef(html);
  // biome-ignore lint/correctness/useExhaustiveDependencies: created once; the effects below pass on later changes.
  useEffect(() => {
    const editor = createEditor(place.current as HTMLDivElement, {
      html,
      attributes: (state) => attributesOf(given.current, state),
      onChange(change) {
        redraw();
        if (!change) return;
        last.current = change.html ?? '';
        given.current.onChange(change.html);
      },
    });
    view.current = editor;
    if (given.current.hasAutoFocus) editor.focus();
    redraw();
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [place]);
  useEffect(() => {
    // The editor already shows its own last value; setting it again would move the caret.
    if (html === last.current || !view.current) return;
    last.current = html;
    showHtml(view.current, html);
  }, [html]);
  const { isInvalid, isRequired, describedBy } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attributesOf` reads them from `given`.
  useEffect(() => view.current?.setProps({}), [isInvalid, isRequired, describedBy]);
  return view;
}

function attributesOf(props: FieldEditProps, { doc }: EditorState): Record<string, string> {
  const { id, label, isInvalid, isRequired, describedBy, node } = props;
  return {
    ...{ id, role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, tabindex: '0' },
    class: `html break html-box field-input ${isEmpty(doc) ? 'is-empty' : ''}`,
    ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
    ...(isRequired ? { 'aria-required': 'true' } : {}),
    ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    ...(node.placeholder ? { 'data-placeholder': node.placeholder } : {}),
  };
}

interface ToolbarProps {
  readonly label: string;
  readonly state: EditorState | undefined;
  readonly onRun: (command: Command) => void;
  readonly children: React.ReactNode;
}

function Toolbar({ label, state, onRun, children }: ToolbarProps) {
  return (
    <div className="line wrap lined html-tools" role="toolbar" aria-label={t('Format of {label}', { label })}>
      {buttons.map(([name, title, Face]) => (
        <button
          className="middle round-s mut hovers inks lights"
          key={name}
          type="button"
          aria-label={t(title)}
          title={t(title)}
          aria-pressed={name === 'plain' ? undefined : state !== undefined && tools[name].isOn(state)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onRun(tools[name].run)}
        >
          <Face {...face} />
        </button>
      ))}
      {children}
    </div>
  );
}

interface LinkPopoverProps {
  readonly anchor: RefObject<HTMLElement | null>;
  /** The current link target; empty if the selection is not a link. */
  readonly address: string;
  readonly onLink: (href: string) => void;
  readonly onUnlink: () => void;
  readonly onClose: () => void;
}

/** Asks for the link target: a page, mail or phone number, never a script. */
function LinkPopover({ anchor, address, onLink, onUnlink, onClose }: LinkPopoverProps) {
  const [text, setText] = useState(address);
  const [isBad, setBad] = useState(false);
  const id = useId();
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const href = safeHref(text);
    if (href) onLink(href);
    else setBad(true);
  };
  return (
    <Popover anchor={anchor} onClose={onClose} className="html-link">
      <form className="stack pad-3" onSubmit={submit} onKeyDown={(event) => event.stopPropagation()}>
        <label className="mut small" htmlFor={id}>
          {t('Link address')}
        </label>
        <input
          id={id}
          className="input"
          type="text"
          inputMode="url"
          placeholder="https://"
          autoFocus
          value={text}
          aria-invalid={isBad || undefined}
          aria-describedby={isBad ? `${id}-problem` : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setBad(false);
          }}
        />
        {isBad && (
          <p id={`${id}-problem`} className="field-problem" role="alert">
            {t('Enter a link to a web page (https), an e-mail address (mailto) or a phone number (tel).')}
          </p>
        )}
        <div className="line end gap-2">
          {address !== '' && (
            <Button kind="bare" onClick={onUnlink}>
              {t('Remove the link')}
            </Button>
          )}
          <Button kind="primary" type="submit">
            {t('Link')}
          </Button>
        </div>
      </form>
    </Popover>
  );
}
