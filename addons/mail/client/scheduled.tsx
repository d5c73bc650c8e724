import { bootstrap, formatDateTime, latestOnly, onCatchUp, onEvent, request, showError, t, tn } from '@kontor/client';
import { useEffect, useState } from 'react';

interface Scheduled {
  readonly id: number;
  readonly model: string;
  readonly recordId: number;
  readonly name: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly sendAt: string;
}

/** One's own messages that wait for their time. They are changed and taken back on their record. */
export function ScheduledMessages() {
  const [messages, setMessages] = useState<readonly Scheduled[]>([]);
  useEffect(() => {
    const ask = async () =>
      (await request<{ messages: readonly Scheduled[] }>(`${bootstrap().wcApiBase}/chatter/scheduled`)).body.messages;
    const load = latestOnly(ask, setMessages);
    const refresh = () => void load().catch(showError);
    refresh();
    const stops = [onEvent('chatter.posted', refresh), onEvent('mail.inbox', refresh), onCatchUp(refresh)];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  if (messages.length === 0) return null;
  return (
    <details className="lined rigid">
      <summary className="small mut pad-2-3 pointer">
        {tn('{n} message waits for its time', '{n} messages wait for their time', messages.length)}
      </summary>
      <ul className="scroll-y inbox-scheduled">
        {messages.map(({ id, model, recordId, name, to, subject, sendAt }) => (
          <li key={id} className="stack gap-0 pad-2-3 small">
            <a
              className="cut semi"
              href={`/web?${new URLSearchParams({ model, view_type: 'form', id: String(recordId) })}`}
            >
              {subject || name}
            </a>
            <span className="mut cut">
              {t('{time}, to {names}', { time: formatDateTime(sendAt), names: to.join(', ') })}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
