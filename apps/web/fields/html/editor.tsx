import { useEffect, useRef } from 'react';
import { t } from '../../i18n/messages.ts';
import type { FieldEditProps } from '../define-field.ts';
import { safeHref } from '../link/safe-href.ts';
import { sanitiseHtml } from './sanitise-html.ts';
import './styles.css';

const tools: readonly (readonly [command: string, label: string, face: string, argument?: string])[] = [
  ['bold', 'Bold', 'B'],
  ['italic', 'Italic', 'I'],
  ['underline', 'Underline', 'U'],
  ['strikeThrough', 'Strike through', 'S'],
  ['formatBlock', 'Heading', 'H', 'h3'],
  ['insertUnorderedList', 'Bullets', '•'],
  ['insertOrderedList', 'Numbers', '№'],
  ['formatBlock', 'Quote', '❝', 'blockquote'],
  ['removeFormat', 'Plain text', '⌫'],
];

/** Formatted text, edited in place. What is pasted is cleaned before it stands here, what is sent before it leaves. */
export function HtmlEditor(props: FieldEditProps) {
  const { id, label, value, onChange, isInvalid, isRequired, describedBy, node } = props;
  const box = useRef<HTMLDivElement>(null);
  const last = useRef<string | null>(null);
  useEffect(() => {
    const html = typeof value === 'string' ? value : '';
    // What this very editor told is on screen already; writing it again would move the caret.
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
  const link = () => {
    const address = window.prompt(t('Address of the link'), 'https://');
    const href = address ? safeHref(address) : null;
    if (href) run('createLink', href);
  };
  return (
    <div className="html-editor">
      <div className="html-tools" role="toolbar" aria-label={t('Format of {label}', { label })}>
        {tools.map(([command, name, face, argument]) => (
          <button
            key={name}
            type="button"
            aria-label={t(name)}
            title={t(name)}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => run(command, argument)}
          >
            {face}
          </button>
        ))}
        <button type="button" aria-label={t('Link')} title={t('Link')} onClick={link}>
          ↗
        </button>
      </div>
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
