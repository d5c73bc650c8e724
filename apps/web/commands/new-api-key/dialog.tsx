import { isDate } from '@kontor/protocol';
import { type FormEvent, useId, useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { postAndReload } from '../../data/request.ts';
import { DayField, type Named, unknownName } from '../../fields/record-field.tsx';
import { mark, t } from '../../i18n/messages.ts';
import { bootstrap } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Labelled, LabelledInput } from '../../ui/labelled.tsx';
import type { CommandProps } from '../command.ts';
import { type Agent, AgentFields, heldOf, modelNames, noAgent } from './agent-fields.tsx';
import { PersonField } from './person-field.tsx';
import { expiryOf, type ModelReach, type Reach, ScopeFields, scopeOf } from './scope-fields.tsx';
import './styles.css';

const expiries = [
  ['quarter', mark('In 90 days')],
  ['month', mark('In 30 days')],
  ['year', mark('In a year')],
  ['day', mark('On a day …')],
  ['never', mark('Never')],
] as const;

type Problems = Readonly<Record<string, readonly string[]>>;

/** Name, owner, expiry and scope of a key; the next page shows its secret, once. */
// Over 60 lines: all fields are sent and validated together; the groups of fields are components already.
export function NewApiKeyDialog({ target, onClose }: CommandProps) {
  const { user } = bootstrap();
  const ownerFirst = target.model === 'core.user' ? target : { id: user.id, name: user.name };
  const [owner, setOwner] = useState<Named | null>(ownerFirst);
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState('quarter');
  const [day, setDay] = useState('');
  const [rate, setRate] = useState('');
  const [reach, setReach] = useState<Reach>('all');
  const [models, setModels] = useState<readonly ModelReach[]>([{ model: '', canChange: false }]);
  const [agent, setAgent] = useState<Agent>(noAgent);
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);
  const formId = useId();

  async function make(event: FormEvent): Promise<void> {
    event.preventDefault();
    const found = problemsOf({ name, owner, expiry, day, rate, reach, models, agent });
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await postAndReload('/web/action/create_api_key', {
        user_id: String(owner?.id),
        name: name.trim(),
        expires_at: expiryOf(expiry, day),
        scope: scopeOf(reach, models),
        agent: agent.name.trim(),
        held: heldOf(agent),
        approver_id: String((agent.name.trim() !== '' && agent.approver?.id) || ''),
        rate: rate.trim(),
      });
    } catch (error) {
      setBusy(false);
      const { fields, message } = toClientError(error);
      setProblems(
        Object.keys(fields).length > 0 ? fields : { all: [t('The key was not created. {message}', { message })] },
      );
    }
  }

  return (
    <Dialog
      title={t('New API key')}
      onClose={onClose}
      width={520}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" type="submit" form={formId} disabled={isBusy}>
            {t('Create key')}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack gap-4 boxed" noValidate onSubmit={(event) => void make(event)}>
        <LabelledInput
          label={t('Purpose')}
          problem={problems.name?.join(' ')}
          autoFocus
          maxLength={200}
          placeholder={t('Web shop, nightly export, …')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <PersonField
          label={t('Acts on behalf of')}
          hint={t('The key can do at most what this person can do.')}
          person={owner}
          problem={problems.user_id?.join(' ')}
          isRequired
          onChange={setOwner}
        />
        <ExpiryFields
          {...{ expiry, day }}
          problem={problems.expires_at?.join(' ')}
          onExpiry={setExpiry}
          onDay={setDay}
        />
        <LabelledInput
          label={t('Calls per minute')}
          hint={t('If empty, the key has the rights of its owner. It never has more.')}
          problem={problems.rate?.join(' ')}
          inputMode="numeric"
          maxLength={7}
          value={rate}
          onChange={(event) => setRate(event.target.value)}
        />
        <ScopeFields
          {...{ reach, models, problem: problems.scope?.join(' ') }}
          onReach={setReach}
          onModels={setModels}
        />
        <AgentFields {...{ agent, problems }} onAgent={setAgent} />
        {problems.all && (
          <p className="field-problem" role="alert">
            {problems.all.join(' ')}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface ExpiryFieldsProps {
  readonly expiry: string;
  readonly day: string;
  readonly problem: string | undefined;
  readonly onExpiry: (expiry: string) => void;
  readonly onDay: (day: string) => void;
}

function ExpiryFields({ expiry, day, problem, onExpiry, onDay }: ExpiryFieldsProps) {
  return (
    <div className="stack gap-3 pairs">
      <Labelled label={t('Expires')} problem={expiry === 'day' ? undefined : problem}>
        {(props) => (
          <select {...props} className="input" value={expiry} onChange={(event) => onExpiry(event.target.value)}>
            {expiries.map(([value, label]) => (
              <option key={value} value={value}>
                {t(label)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {expiry === 'day' && (
        <Labelled label={t('Last day')} problem={problem}>
          {(control) => (
            <DayField
              id={control.id}
              describedBy={control['aria-describedby']}
              isInvalid={control['aria-invalid'] === true}
              label={t('Last day')}
              value={day}
              onChange={onDay}
            />
          )}
        </Labelled>
      )}
    </div>
  );
}

interface KeyValues {
  readonly name: string;
  readonly owner: Named | null;
  readonly expiry: string;
  readonly day: string;
  readonly rate: string;
  readonly reach: Reach;
  readonly models: readonly ModelReach[];
  readonly agent: Agent;
}

function problemsOf({ name, owner, expiry, day, rate, reach, models, agent }: KeyValues): Problems {
  return {
    ...(name.trim() === '' ? { name: [t('Name the integration that will use this key.')] } : {}),
    ...(owner?.id ? {} : { user_id: [unknownName(owner) ?? t('Choose the person this key acts on behalf of.')] }),
    ...(agent.name.trim() !== '' && unknownName(agent.approver) !== null
      ? { approver_id: [unknownName(agent.approver) ?? ''] }
      : {}),
    ...(expiry === 'day' && !isLater(day) ? { expires_at: [t('Choose a date in the future.')] } : {}),
    ...(/^([1-9]\d*)?$/.test(rate.trim())
      ? {}
      : { rate: [t('Enter a whole number of at least 1, or leave it empty.')] }),
    ...(reach === 'some' && models.every(({ model }) => model.trim() === '')
      ? { scope: [t('Choose at least one model.')] }
      : {}),
    ...(agent.name.trim() !== '' && agent.holding === 'some' && modelNames(agent.models).length === 0
      ? { held: [t('Choose at least one model.')] }
      : {}),
  };
}

function isLater(day: string): boolean {
  return isDate(day) && new Date(`${day}T23:59:59Z`) > new Date();
}
