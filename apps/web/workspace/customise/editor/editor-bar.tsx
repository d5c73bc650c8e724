import type { CustomiseData, CustomisePreview } from '@kontor/protocol';
import { useState } from 'react';
import { t, tn } from '../../../i18n/messages.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Badge } from '../../../ui/parts.tsx';
import { messagesOf } from '../new-field.ts';
import { type Edit, sendEdits } from './edits.ts';

interface EditorBarProps {
  readonly title: string;
  readonly preview: CustomisePreview | null;
  readonly data: CustomiseData | null;
  /** Why the last change cannot be shown. */
  readonly failure: string;
  readonly edits: readonly Edit[];
  readonly lang: string;
  readonly isPhone: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onLang: (lang: string) => void;
  readonly onPhone: (isPhone: boolean) => void;
  readonly onClose: () => void;
}

/** Undo, the language and width of the preview, what is wrong, and publishing. */
export function EditorBar({ title, preview, data, failure, edits, lang, isPhone, ...bar }: EditorBarProps) {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  const send = async (step: 'save' | 'publish') => {
    if (!preview) return;
    setBusy(true);
    try {
      await sendEdits(step, preview, edits);
      bar.onClose();
    } catch (error) {
      setRefusal(messagesOf(error));
      setBusy(false);
    }
  };
  const problems = [...new Set([failure, refusal, ...(preview?.problems ?? [])])].filter(Boolean);
  const canSend = !isBusy && preview !== null && (edits.length > 0 || preview.draft > 0);
  return (
    <div className="stack gap-1 pad-2-3 whole-row surface lined editor-bar">
      <div className="row wrap gap-2">
        <IconButton icon="x" label={t('Close')} onClick={bar.onClose} />
        <h2 className="normal">{title}</h2>
        {edits.length > 0 && <Badge look="warn">{tn('{n} change', '{n} changes', edits.length)}</Badge>}
        {preview !== null && preview.draft > 0 && <Badge look="info">{t('In the draft')}</Badge>}
        <span className="row wrap gap-2 push">
          <PreviewChoices {...{ data, lang, isPhone }} onLang={bar.onLang} onPhone={bar.onPhone} />
          <Button icon="rotate-ccw" disabled={!bar.canUndo} onClick={bar.onUndo}>
            {t('Undo')}
          </Button>
          <Button icon="refresh-cw" disabled={!bar.canRedo} onClick={bar.onRedo}>
            {t('Redo')}
          </Button>
          <Button disabled={!canSend || edits.length === 0} onClick={() => void send('save')}>
            {t('Add to draft')}
          </Button>
          <Button kind="primary" disabled={!canSend} onClick={() => void send('publish')}>
            {t('Publish')}
          </Button>
        </span>
      </div>
      {problems.length > 0 && (
        <ul className="stack gap-half" role="alert">
          {problems.map((problem) => (
            <li key={problem} className="field-problem">
              {problem}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type ChoiceProps = Pick<EditorBarProps, 'data' | 'lang' | 'isPhone' | 'onLang' | 'onPhone'>;

/** The language and the width of the preview. */
function PreviewChoices({ data, lang, isPhone, onLang, onPhone }: ChoiceProps) {
  return (
    <>
      {data && data.languages.length > 1 && (
        <select
          className="input"
          aria-label={t('Language of the preview')}
          value={lang}
          onChange={(event) => onLang(event.target.value)}
        >
          {data.languages.map(({ code, label }) => (
            <option key={code} value={code}>
              {label}
            </option>
          ))}
        </select>
      )}
      <div className="seg" role="group" aria-label={t('Width of the preview')}>
        <button type="button" aria-pressed={!isPhone} onClick={() => onPhone(false)}>
          {t('Wide')}
        </button>
        <button type="button" aria-pressed={isPhone} onClick={() => onPhone(true)}>
          {t('Phone')}
        </button>
      </div>
    </>
  );
}
