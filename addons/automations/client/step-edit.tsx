import { t } from '@kontor/client';
import { Choice, Sentence, Word } from './choice.tsx';
import { useNames, useOptions } from './options.ts';
import { type Json, RecordChoice, Values } from './values.tsx';

interface Props {
  readonly model: string;
  readonly step: Json;
  readonly onChange: (step: Json) => void;
}

/** The sentence of a step. */
export function StepEdit(props: Props) {
  switch (props.step.do) {
    case 'set':
      return <SetEdit {...props} />;
    case 'create':
      return <CreateEdit {...props} />;
    case 'assign':
      return <AssignEdit {...props} />;
    case 'activity':
      return <ActivityEdit {...props} />;
    case 'note':
      return <NoteEdit {...props} />;
    case 'mail':
      return <MailEdit {...props} />;
    case 'webhook':
      return <WebhookEdit {...props} />;
    default:
      return <RunEdit {...props} />;
  }
}

function SetEdit({ model, step, onChange }: Props) {
  return (
    <Values
      target={model}
      source={model}
      values={(step.values ?? {}) as Json}
      onChange={(values) => onChange({ ...step, values })}
    />
  );
}

function CreateEdit({ model, step, onChange }: Props) {
  const { models } = useOptions(model);
  const target = String(step.model ?? '');
  return (
    <>
      <Choice
        label={t('What is created')}
        value={target}
        choices={models.filter(({ mayCreate }) => mayCreate).map(({ name, label }) => [name, label])}
        onChoose={(chosen) => onChange({ ...step, model: chosen, values: {} })}
      />
      {target !== '' && (
        <Values
          target={target}
          source={model}
          values={(step.values ?? {}) as Json}
          onChange={(values) => onChange({ ...step, values })}
        />
      )}
    </>
  );
}

function AssignEdit({ model, step, onChange }: Props) {
  const { fields } = useOptions(model);
  const people = fields.filter(({ relation, mayWrite, isPeople }) => relation === 'core.user' && mayWrite && !isPeople);
  return (
    <Sentence>
      <Choice
        label={t('Field with the person')}
        value={String(step.field ?? '')}
        choices={people.map(({ name, label }) => [name, label])}
        onChoose={(field) => onChange({ ...step, field })}
      />
      <span>{t('becomes')}</span>
      <WhoEdit model={model} who={(step.who ?? {}) as Json} onChange={(who) => onChange({ ...step, who })} />
    </Sentence>
  );
}

/** One person, the person of a field, several in turn, or the members of a team in turn. */
function WhoEdit({
  model,
  who,
  onChange,
}: {
  readonly model: string;
  readonly who: Json;
  readonly onChange: (who: Json) => void;
}) {
  const { fields } = useOptions(model);
  const kind = ['path', 'turn', 'team'].find((key) => key in who) ?? 'user';
  const one = fields.filter(({ relation, isPeople }) => relation === 'core.user' && !isPeople);
  const firsts: Readonly<Record<string, Json>> = {
    user: { user: 0 },
    path: { path: one[0]?.name ?? '' },
    turn: { turn: [] },
    team: { team: '' },
  };
  return (
    <>
      <Choice
        label={t('Who')}
        value={kind}
        choices={[
          ['user', t('this person:')],
          ['path', t('the person of')],
          ['turn', t('in turn:')],
          ['team', t('in turn, the people of')],
        ]}
        onChoose={(chosen) => onChange(firsts[chosen] ?? { user: 0 })}
      />
      {kind === 'user' && (
        <RecordChoice
          label={t('Person')}
          model="core.user"
          value={who.user === 0 ? null : who.user}
          onChoose={(user) => onChange({ user: user ?? 0 })}
        />
      )}
      {kind === 'path' && (
        <Choice
          label={t('Field with the person')}
          value={String(who.path ?? '')}
          choices={one.map(({ name, label }) => [name, label])}
          onChoose={(path) => onChange({ path })}
        />
      )}
      {kind === 'turn' && (
        <TurnEdit ids={(who.turn ?? []) as readonly number[]} onChange={(turn) => onChange({ turn })} />
      )}
      {kind === 'team' && (
        <TeamEdit model={model} path={String(who.team ?? '')} onChange={(team) => onChange({ team })} />
      )}
    </>
  );
}

function TurnEdit({
  ids,
  onChange,
}: {
  readonly ids: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
}) {
  const people = useNames('core.user');
  return (
    <span className="row wrap">
      {people.map((person) => (
        <label key={person.id} className="row target">
          <input
            type="checkbox"
            checked={ids.includes(person.id)}
            onChange={(event) =>
              onChange(event.target.checked ? [...ids, person.id] : ids.filter((id) => id !== person.id))
            }
          />
          {String(person.display_name)}
        </label>
      ))}
    </span>
  );
}

/** The people of a link: `team_id.member_ids`. */
function TeamEdit({
  model,
  path,
  onChange,
}: {
  readonly model: string;
  readonly path: string;
  readonly onChange: (path: string) => void;
}) {
  const { fields } = useOptions(model);
  const [first = '', second = ''] = path.split('.');
  const { fields: further } = useOptions(fields.find(({ name }) => name === first)?.relation ?? '');
  return (
    <>
      <Choice
        label={t('Team')}
        value={first}
        choices={fields
          .filter(({ relation }) => relation !== null && relation !== 'core.user')
          .map(({ name, label }) => [name, label])}
        onChoose={onChange}
      />
      {first !== '' && (
        <Choice
          label={t('Its people')}
          value={second}
          choices={further.filter(({ isPeople }) => isPeople).map(({ name, label }) => [name, label])}
          onChoose={(name) => onChange(`${first}.${name}`)}
        />
      )}
    </>
  );
}

function ActivityEdit({ model, step, onChange }: Props) {
  const types = useNames('mail.activity.type');
  return (
    <>
      <Sentence>
        <Choice
          label={t('Type of the activity')}
          value={step.type ? String(step.type) : ''}
          choices={types.map((type) => [String(type.id), String(type.display_name)])}
          onChoose={(type) => onChange({ ...step, type: Number(type) })}
        />
        <span>{t('for')}</span>
        <WhoEdit model={model} who={(step.who ?? {}) as Json} onChange={(who) => onChange({ ...step, who })} />
        <span>{t('due in')}</span>
        <Word
          label={t('Days')}
          type="number"
          value={String(step.days ?? 0)}
          onType={(days) => onChange({ ...step, days: Math.round(Number(days) || 0) })}
        />
        <span>{t('days')}</span>
      </Sentence>
      <TextEdit
        model={model}
        label={t('Summary')}
        value={String(step.summary ?? '')}
        onChange={(summary) => onChange({ ...step, summary })}
      />
    </>
  );
}

interface TextProps {
  readonly model: string;
  readonly label: string;
  readonly value: string;
  readonly isLong?: boolean;
  readonly onChange: (value: string) => void;
}

/** A text with values of the record in braces. */
function TextEdit({ model, label, value, isLong = false, onChange }: TextProps) {
  const { fields } = useOptions(model);
  return (
    <div className="stack items-start">
      {isLong ? (
        <textarea
          className="input"
          aria-label={label}
          rows={5}
          placeholder={label}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Word label={label} isWide placeholder={label} value={value} onType={onChange} />
      )}
      <Choice
        label={t('Insert a value into {text}', { text: label })}
        value=""
        empty={t('Insert a value…')}
        choices={fields.map(({ name, label: said }) => [name, said])}
        onChoose={(name) => name !== '' && onChange(`${value}${value === '' || /\s$/.test(value) ? '' : ' '}{${name}}`)}
      />
    </div>
  );
}

function NoteEdit({ model, step, onChange }: Props) {
  return (
    <TextEdit
      model={model}
      label={t('Internal note')}
      isLong
      value={String(step.text ?? '')}
      onChange={(text) => onChange({ ...step, text })}
    />
  );
}

function MailEdit({ model, step, onChange }: Props) {
  const { fields } = useOptions(model);
  const to = String(step.to ?? '');
  const mails = fields.flatMap(({ name, label, input, relation }): (readonly [string, string])[] => {
    if (relation === 'core.partner' || relation === 'core.user') return [[`{${name}.email}`, label]];
    return input === 'text' && /mail/.test(name) ? [[`{${name}}`, label]] : [];
  });
  const isPath = to === '' || to.startsWith('{');
  return (
    <>
      <Sentence>
        <span>{t('Recipient')}</span>
        <Choice
          label={t('Recipient')}
          value={isPath ? to : 'address'}
          choices={[...mails, ['address', t('an address')]]}
          onChoose={(chosen) => onChange({ ...step, to: chosen === 'address' ? ' ' : chosen })}
        />
        {!isPath && (
          <Word
            label={t('Address')}
            value={to.trim()}
            placeholder="office@example.com"
            onType={(typed) => onChange({ ...step, to: typed || ' ' })}
          />
        )}
      </Sentence>
      <TextEdit
        model={model}
        label={t('Subject')}
        value={String(step.subject ?? '')}
        onChange={(subject) => onChange({ ...step, subject })}
      />
      <TextEdit
        model={model}
        label={t('Text')}
        isLong
        value={String(step.body ?? '')}
        onChange={(body) => onChange({ ...step, body })}
      />
    </>
  );
}

function WebhookEdit({ model, step, onChange }: Props) {
  const domain = JSON.stringify([
    ['model', '=', model],
    ['on_call', '=', true],
  ]);
  return (
    <Sentence>
      <RecordChoice
        label={t('Webhook')}
        model="webhook.subscription"
        domain={domain}
        value={step.webhook === 0 ? null : step.webhook}
        onChoose={(id) => onChange({ ...step, webhook: id ?? 0 })}
      />
      <span className="mut small">{t('Webhooks of these records with "When an automation says so".')}</span>
    </Sentence>
  );
}

function RunEdit({ model, step, onChange }: Props) {
  const { actions } = useOptions(model);
  return (
    <Choice
      label={t('Action')}
      value={String(step.action ?? '')}
      choices={actions.map(({ name, label }) => [name, label])}
      onChoose={(action) => onChange({ ...step, action })}
    />
  );
}
