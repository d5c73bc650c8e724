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
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { mark, t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import type { FieldEditProps } from '../define-field.ts';
import { safeHref } from '../safe-href.ts';
import { sanitiseHtml } from './sanitise-html.ts';
import './styles.css';

const tools: readonly (readonly [command: string, label: string, Face: LucideIcon, argument?: string])[] = [
  ['bold', mark('Bold'), Bold],
  ['italic', mark('Italic'), Italic],
  ['underline', mark('Underline'), Underline],
  ['strikeThrough', mark('Strikethrough'), Strikethrough],
  ['formatBlock', mark('Heading'), Heading, 'h3'],
  ['insertUnorderedList', mark('Bullets'), List],
  ['insertOrderedList', mark('Numbers'), ListOrdered],
  ['formatBlock', mark('Quote'), TextQuote, 'blockquote'],
  ['removeFormat', mark('Plain text'), RemoveFormatting],
];
const face = { size: 16, strokeWidth: 1.75, className: 'icon', 'aria-hidden': true, focusable: false } as const;

/** Formatted text, edited in place. What is pasted is cleaned before it stands here, what is sent before it leaves. */
export function HtmlEditor(props: FieldEditProps) {
  const { id, label, value, onChange, isInvalid, isRequired, describedBy, node } = props;
  const box = useRef<HTMLDivElement>(null);
  const last = useRef<string | null>(null);
  const linkButton = useRef<HTMLButtonElement>(null);
  const [linking, setLinking] = useState<{ range: Range | null; address: string } | null>(null);
  useEffect(() => {
    const html = typeof value === 'string' ? value : '';
    // The editor's own last value is on screen already; writing it again would move the caret.
    if (box.current && html !== last.current) {
      box.current.innerHTML = sanitiseHtml(html);
      last.current = html;
    }
  }, [value]);
  const tell = () => {
    const html = sanitiseHtml(box.current?.innerHTML ?? '');
    const isEmpty = (box.current?.textContent ?? '').trim() === '' && !html.includes('<hr');
    last.current = isEmpty ? '' : html;
    onChange(isEmpty ? null : html);
  };
  const run = (command: string, argument?: string) => {
    box.current?.focus();
    document.execCommand(command, false, argument);
    tell();
  };
  const askLink = () => setLinking({ range: rangeIn(box.current), address: linkAt(box.current)?.href ?? '' });
  const finishLink = (change: () => void) => {
    const range = linking?.range;
    setLinking(null);
    box.current?.focus();
    if (range) select(range);
    change();
    tell();
  };
  const link = (href: string) =>
    finishLink(() => {
      const old = linkAt(box.current);
      if (old) old.href = href;
      else if (window.getSelection()?.isCollapsed) insertLink(href);
      else document.execCommand('createLink', false, href);
    });
  const unlink = () => finishLink(() => linkAt(box.current)?.replaceWith(...(linkAt(box.current)?.childNodes ?? [])));
  return (
    <div className="html-editor">
      <div className="html-tools" role="toolbar" aria-label={t('Format of {label}', { label })}>
        {tools.map(([command, name, Face, argument]) => (
          <button
            key={name}
            type="button"
            aria-label={t(name)}
            title={t(name)}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => run(command, argument)}
          >
            <Face {...face} />
          </button>
        ))}
        <button
          ref={linkButton}
          type="button"
          aria-label={t('Link')}
          title={t('Link')}
          aria-haspopup="dialog"
          aria-expanded={linking !== null}
          onPointerDown={(event) => event.preventDefault()}
          onClick={askLink}
        >
          <Link {...face} />
        </button>
      </div>
      {linking && (
        <LinkPopover
          anchor={linkButton}
          address={linking.address}
          onLink={link}
          onUnlink={unlink}
          onClose={() => setLinking(null)}
        />
      )}
      <div
        ref={box}
        id={id}
        className="html html-box field-input"
        role="textbox"
        aria-multiline="true"
        aria-label={label}
        aria-invalid={isInvalid || undefined}
        aria-required={isRequired || undefined}
        aria-describedby={describedBy}
        data-placeholder={node.placeholder}
        tabIndex={0}
        contentEditable
        suppressContentEditableWarning
        onInput={tell}
        onPaste={(event) => {
          const html = event.clipboardData.getData('text/html');
          if (!html) return;
          event.preventDefault();
          document.execCommand('insertHTML', false, sanitiseHtml(html));
          tell();
        }}
      />
    </div>
  );
}

/** What is chosen in the box; null when the choice is elsewhere. */
function rangeIn(box: HTMLElement | null): Range | null {
  const selection = window.getSelection();
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
  return range && box?.contains(range.commonAncestorContainer) ? range.cloneRange() : null;
}

function select(range: Range): void {
  const selection = window.getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

function linkAt(box: HTMLElement | null): HTMLAnchorElement | null {
  const node = rangeIn(box)?.startContainer;
  const element = node instanceof Element ? node : node?.parentElement;
  const link = element?.closest('a') ?? null;
  return link && box?.contains(link) ? link : null;
}

/** With nothing chosen the address itself becomes the text. */
function insertLink(href: string): void {
  const link = Object.assign(document.createElement('a'), { href, textContent: href.replace(/^(mailto|tel):/, '') });
  document.execCommand('insertHTML', false, link.outerHTML);
}

interface LinkPopoverProps {
  readonly anchor: RefObject<HTMLElement | null>;
  /** Where the chosen text leads now; empty when it is no link yet. */
  readonly address: string;
  readonly onLink: (href: string) => void;
  readonly onUnlink: () => void;
  readonly onClose: () => void;
}

/** Asks where a link leads: to a page, a mail or a phone, never to a script. */
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
      <form onSubmit={submit} onKeyDown={(event) => event.stopPropagation()}>
        <label htmlFor={id}>{t('Link address')}</label>
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
        <div className="html-link-buttons">
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
