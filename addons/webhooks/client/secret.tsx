import {
  Button,
  defineField,
  type FieldReadProps,
  formatDateTime,
  rpc,
  showError,
  showToast,
  t,
  whileBusy,
} from '@kontor/client';
import { useState } from 'react';
import './webhooks.css';

/**
 * The age of the secret; it is shown once, and can be renewed. `options='{"seen": "is_secret_seen"}'` names the field that says
 * whether it was shown.
 */
export const secretField = defineField({
  name: 'webhook_secret',
  Read: Secret,
  Edit: Secret,
  toText: ({ value }) => (value ? formatDateTime(String(value)) : ''),
  layout: 'stacked',
});

function Secret({ value, record, node, model }: FieldReadProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const isNew = typeof record.id !== 'number' || !value;
  if (isNew) return <span className="mut webhooks-quiet">{t('Created when you save.')}</span>;
  const isSeen = secret !== null || record[String(node.options?.seen)] === true;
  const ask = async (action: string) => {
    const answer = await rpc<{ redirect: string }>({ model, method: 'call', args: [record.id, action] });
    setSecret(decodeURIComponent(answer.redirect.split('#secret=')[1] ?? ''));
  };
  const run = (action: string) => void whileBusy(ask(action)).catch(showError);
  return (
    <span className="stack items-start" aria-live="polite">
      {secret ? <Shown secret={secret} /> : <span>{t('Since {date}', { date: formatDateTime(String(value)) })}</span>}
      <span className="row wrap webhooks-row">
        {!isSeen && (
          <Button kind="primary" onClick={() => run('action_show_secret')}>
            {t('Show the secret')}
          </Button>
        )}
        {isSeen && <Button onClick={() => run('action_renew_secret')}>{t('New secret')}</Button>}
      </span>
    </span>
  );
}

function Shown({ secret }: { readonly secret: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    showToast({ kind: 'success', title: t('Copied') });
  };
  return (
    <span className="line wrap gap-2 at-end full webhooks-shown">
      <label className="stack gap-1">
        <span>{t('The secret (shown only once)')}</span>
        <input className="input" readOnly value={secret} onFocus={(event) => event.target.select()} />
      </label>
      <Button icon="copy" onClick={() => void copy().catch(showError)}>
        {t('Copy')}
      </Button>
    </span>
  );
}
