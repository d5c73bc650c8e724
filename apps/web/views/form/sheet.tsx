import { useEffect, useRef } from 'react';
import { t } from '../../i18n/messages.ts';
import { inSentence } from '../../i18n/reading-order.ts';
import { useStorePart } from '../../state/store.ts';
import { ActionButton } from './action-button.tsx';
import { FieldLine } from './field-line.tsx';
import { useOpenForm } from './form-context.ts';
import { FormNodes } from './nodes.tsx';

/** The record itself: picture, title, numbers beside it, groups and pages. */
export function FormSheet() {
  const open = useOpenForm();
  const { form: arch, label, target, title, isTransient } = open.workspace.arch;
  const sheet = useRef<HTMLDivElement>(null);
  const isNew = useStorePart(open.form, (state) => state.id === 0);
  const name = useStorePart(open.form, (state) => state.stored.display_name);
  useEffect(() => {
    if (isNew) sheet.current?.querySelector<HTMLElement>('input:not([type=file]), textarea, select')?.focus();
  }, [isNew]);
  if (!arch) return null;
  const record = isNew ? t('New {label}', { label: inSentence(label) }) : String(name ?? '');
  const heading = isTransient ? title : record;
  // A dialog has its heading already.
  const isAsking = target === 'dialog';
  return (
    <div ref={sheet} className={isAsking ? 'form-sheet form-asking' : 'form-sheet'}>
      <header className="form-head">
        {arch.avatar && (
          <div className="form-avatar">
            <FieldLine node={{ widget: 'image', ...arch.avatar }} isBare />
          </div>
        )}
        <div className="form-titles">
          <h1 className={arch.title || isAsking ? 'sr-only' : ''}>{heading}</h1>
          {arch.title && (
            <div className="form-title">
              <FieldLine node={arch.title} isBare />
            </div>
          )}
          {arch.subtitle && (
            <div className="form-subtitle">
              {arch.subtitle.map((node) => (
                <FieldLine key={node.name} node={node} isBare />
              ))}
            </div>
          )}
        </div>
        {arch.stats.length > 0 && !isNew && (
          <div className="form-stats">
            {arch.stats.map((button) => (
              <ActionButton key={button.name} button={button} isStat />
            ))}
          </div>
        )}
      </header>
      <FormNodes nodes={arch.children} />
    </div>
  );
}
