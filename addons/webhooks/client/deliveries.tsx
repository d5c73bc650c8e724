import {
  Badge,
  Button,
  defineField,
  type FieldReadProps,
  formatRelative,
  type Look,
  type RecordValues,
  rpc,
  searchRead,
  showError,
  t,
  whileBusy,
} from '@kontor/client';
import { useCallback, useEffect, useState } from 'react';
import './webhooks.css';

const model = 'webhook.delivery';
const most = 12;

/** The last deliveries of a webhook, shown beside it. */
export const deliveriesField = defineField({
  name: 'webhook_deliveries',
  Read: Deliveries,
  Edit: null,
  toText: () => '',
  layout: 'wide',
});

const looks: Readonly<Record<string, Look>> = { sent: 'ok', failed: 'warn', dead: 'bad', waiting: 'info' };

function stateWord(state: string): string {
  const words: Record<string, string> = {
    waiting: t('Waiting'),
    failed: t('Trying again'),
    sent: t('Sent'),
    dead: t('Given up'),
    skipped: t('Not needed'),
  };
  return words[state] ?? state;
}

function eventWord(event: string): string {
  const words: Record<string, string> = { create: t('Made'), write: t('Changed'), delete: t('Deleted') };
  return words[event] ?? event;
}

function Deliveries({ value }: FieldReadProps) {
  const [rows, setRows] = useState<readonly RecordValues[] | null>(null);
  const load = useCallback(async () => {
    const paths = ['event', 'res_id', 'model', 'happened_at', 'state', 'attempts', 'status'];
    const found = await searchRead(model, [['subscription_id', '=', Number(value)]], paths, {
      limit: most,
      order: '-id',
    });
    setRows(found);
  }, [value]);
  useEffect(() => {
    if (typeof value === 'number') void whileBusy(load()).catch(showError);
  }, [value, load]);
  if (typeof value !== 'number' || rows === null) return null;
  const retry = async (id: number) => {
    await rpc({ model, method: 'call', args: [id, 'action_retry'] });
    await load();
  };
  return (
    <section className="stack webhooks-last" aria-label={t('Last deliveries')}>
      <header className="row wrap apart webhooks-row">
        <h3 className="text-14">{t('Last deliveries')}</h3>
        <Button icon="refresh-cw" onClick={() => void whileBusy(load()).catch(showError)}>
          {t('Refresh')}
        </Button>
      </header>
      {rows.length === 0 && <p className="mut webhooks-quiet">{t('Nothing yet. Change a record, or send a test.')}</p>}
      {rows.length > 0 && (
        <ul className="stack gap-0">
          {rows.map((row) => (
            <li className="stack level target topped webhooks-line" key={row.id}>
              <a href={`/web?model=${model}&view_type=form&id=${row.id}`}>
                {eventWord(String(row.event))} <span className="num">{String(row.res_id)}</span>
              </a>
              <span className="mut webhooks-quiet">{formatRelative(String(row.happened_at))}</span>
              <span className="row wrap end webhooks-row">
                <Badge look={looks[String(row.state)] ?? 'mute'}>{stateWord(String(row.state))}</Badge>
                {row.status !== null && <span className="num">{String(row.status)}</span>}
                {row.state === 'dead' && (
                  <Button onClick={() => void whileBusy(retry(row.id)).catch(showError)}>{t('Try again')}</Button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
