import type { ProposedField, ProposedMessage, ProposedRecord, ProposedValue, ShownProposal } from '@kontor/protocol';
import { fieldType } from '@kontor/protocol';
import { formatDate, formatDateTime, formatRelative } from '../../i18n/dates.ts';
import { t, tn } from '../../i18n/messages.ts';
import { formatDecimal } from '../../i18n/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Avatar, Badge, Checkbox } from '../../ui/parts.tsx';

interface ProposalCardProps {
  readonly proposal: ShownProposal;
  readonly isBusy: boolean;
  /** Null: it cannot be selected. */
  readonly isMarked: boolean | null;
  readonly onMark: (isMarked: boolean) => void;
  readonly onApprove: () => void;
  readonly onRefuse: () => void;
  /** Shows all records and messages, with their whole texts. */
  readonly onWhole: () => void;
}

/** Who proposes what and why, each record with its fields before and after, and what people would be told. */
// Over 60 lines: the parts of one card, in the order in which they are read.
export function ProposalCard({ proposal, isBusy, isMarked, onMark, onApprove, onRefuse, onWhole }: ProposalCardProps) {
  const { agent, task, reason, note, isFinal, at, action, on, answers, records, said, more, isCut } = proposal;
  const summary = summaryOf(proposal);
  return (
    <li className="stack shrink framed round-l surface gap-3 pad-5 shade card proposal">
      <header className="row wrap gap-3 rows-2">
        {isMarked !== null && (
          <Checkbox label={t('Select {name}', { name: summary })} isChecked={isMarked} onChange={onMark} />
        )}
        <Avatar name={agent} />
        <div className="shrink break proposal-who">
          <p>
            <b>{agent}</b> {task && <span className="mut">{task}</span>}
          </p>
          <p className="small dim">{formatRelative(at)}</p>
        </div>
        {isFinal && <Badge look="warn">{t('Affects others: cannot be undone')}</Badge>}
      </header>
      {reason && <blockquote className="mut break proposal-reason">{reason}</blockquote>}
      {note && (
        <p className="row bad proposal-note" role="status">
          <Icon name="circle-alert" />
          {note}
        </p>
      )}
      {action && (
        <p>
          {t('Action')}: <b>{action}</b> {on.join(', ')}
        </p>
      )}
      {answers.length > 0 && <Values label={t('Answers')} fields={answers} isNew />}
      {records.length === 0 && said.length === 0 && (
        <p className="mut">{t('No record that you can see would change.')}</p>
      )}
      {records.map((record, index) => (
        <RecordChange key={`${record.model},${record.id ?? `new ${index}`}`} record={record} />
      ))}
      {more > 0 && <p className="mut">{tn('and {n} more record', 'and {n} more records', more)}</p>}
      {said.map((message) => (
        <Message key={`${message.kind} ${message.to.join(' ')} ${message.subject} ${message.body}`} message={message} />
      ))}
      {isCut && (
        <p>
          <Button disabled={isBusy} onClick={onWhole}>
            {t('Show everything')}
          </Button>
        </p>
      )}
      <footer className="line end gap-2 proposal-do">
        <Button
          disabled={isBusy}
          aria-label={t('{action}: {name}', { action: t('Reject'), name: summary })}
          onClick={onRefuse}
        >
          {t('Reject …')}
        </Button>
        <Button
          kind="primary"
          disabled={isBusy}
          aria-label={t('{action}: {name}', { action: t('Approve'), name: summary })}
          onClick={onApprove}
        >
          {t('Approve')}
        </Button>
      </footer>
    </li>
  );
}

/** One line, such as "Change: Lead Berg & Co", or "Confirm (Order): S00012". */
export function summaryOf({ action, records, more }: ShownProposal): string {
  const [first] = records;
  if (!first) return action ?? t('a change');
  const [title, count] = [titleOf(first, action), records.length + more];
  if (count > 1) return `${title} (${tn('{n} record', '{n} records', count)})`;
  if (first.name === '') return title;
  return action ? `${title}: ${first.name}` : `${title} ${first.name}`;
}

function titleOf({ operation, label }: ProposedRecord, action: string | null): string {
  if (action) return `${action} (${label})`;
  if (operation === 'create') return t('New: {label}', { label });
  return operation === 'unlink' ? t('Delete: {label}', { label }) : t('Change: {label}', { label });
}

function RecordChange({ record }: { readonly record: ProposedRecord }) {
  const { href, name, fields, operation } = record;
  return (
    <section className="stack shrink">
      <h2 className={`normal strong break ${operation === 'unlink' ? 'bad' : ''}`}>
        {titleOf(record, null)} {name && (href ? <a href={href}>{name}</a> : <span>{name}</span>)}
      </h2>
      {fields.length > 0 && <Values label={titleOf(record, null)} fields={fields} isNew={operation === 'create'} />}
    </section>
  );
}

const messageTitles: Readonly<Record<ProposedMessage['kind'], () => string>> = {
  mail: () => t('E-mail'),
  message: () => t('Message'),
  notice: () => t('Notification'),
};

/** An e-mail, a message on a record or a notice, with all its text. */
function Message({ message }: { readonly message: ProposedMessage }) {
  const { kind, to, answersTo, subject, body, files } = message;
  const line = (name: string, label: string, value: string): ProposedField[] =>
    value === '' ? [] : [{ name, label, type: 'text', old: null, new: value }];
  const title = messageTitles[kind]();
  const fields = [
    ...line('to', kind === 'message' ? t('On') : t('To'), to.join(', ')),
    ...line('answers_to', t('Answers to'), answersTo ?? ''),
    ...line('subject', t('Subject'), subject),
    ...line('body', t('Text'), body),
    ...line('files', t('Files'), files.join(', ')),
  ];
  return (
    <section className="stack shrink">
      <h2 className="normal strong break">{title}</h2>
      <Values label={title} fields={fields} isNew />
    </section>
  );
}

interface ValuesProps {
  readonly label: string;
  readonly fields: readonly ProposedField[];
  /** There are no values before. */
  readonly isNew: boolean;
}

function Values({ label, fields, isNew }: ValuesProps) {
  return (
    <table className="full proposal-fields" aria-label={label}>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t('Field')}</th>
          {!isNew && <th scope="col">{t('Before')}</th>}
          <th scope="col">{t('After')}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.name}>
            <th scope="row">{field.label}</th>
            {!isNew && (
              <td className="dim proposal-old">
                <s>{shown(field, field.old)}</s>
              </td>
            )}
            <td className="proposal-new">
              {!isNew && <span aria-hidden="true">→ </span>}
              {shown(field, field.new)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Selections and record names already come as text. */
function shown({ type: name }: ProposedField, value: ProposedValue): string {
  if (value === null || value === '') return t('empty');
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  const type = fieldType(name);
  if (type.isDate) return type.isInstant ? formatDateTime(String(value)) : formatDate(String(value));
  return typeof value === 'number' ? formatDecimal(value) : value;
}
