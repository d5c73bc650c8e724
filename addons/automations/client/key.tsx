import { Button, defineField, type FieldReadProps, formatDateTime, rpc, showError, t, whileBusy } from '@kontor/client';
import { useState } from 'react';
import './automations.css';

/** The age of the key for messages; it is shown once, and can be renewed. */
export const keyField = defineField({
  name: 'automation_key',
  Read: Key,
  Edit: Key,
  toText: ({ value }) => (value ? formatDateTime(String(value)) : ''),
  layout: 'stacked',
});

function Key({ value, record, node, model }: FieldReadProps) {
  const [secret, setSecret] = useState<string | null>(null);
  if (typeof record.id !== 'number' || !value) return <span className="mut small">{t('Created when you save.')}</span>;
  const isSeen = secret !== null || record[String(node.options?.seen)] === true;
  const ask = async (action: string) => {
    const answer = await rpc<{ redirect: string }>({ model, method: 'call', args: [record.id, action] });
    setSecret(decodeURIComponent(answer.redirect.split('#secret=')[1] ?? ''));
  };
  const run = (action: string) => void whileBusy(ask(action)).catch(showError);
  return (
    <span className="stack" aria-live="polite">
      {secret ? (
        <label className="stack">
          <span>{t('The key (shown only once)')}</span>
          <input className="input" readOnly value={secret} onFocus={(event) => event.target.select()} />
        </label>
      ) : (
        <span>{t('Since {date}', { date: formatDateTime(String(value)) })}</span>
      )}
      <span className="row wrap">
        {!isSeen && (
          <Button kind="primary" onClick={() => run('action_show_secret')}>
            {t('Show the key')}
          </Button>
        )}
        {isSeen && <Button onClick={() => run('action_renew_secret')}>{t('New key')}</Button>}
      </span>
    </span>
  );
}
