import { defineField, type FieldEditProps, type FieldReadProps, IconButton, t } from '@kontor/client';
import { Choice, Sentence, Word } from './choice.tsx';
import { labelOf, type Options, useOptions } from './options.ts';
import './automations.css';

/** When an automation runs: `options='{"model": "model"}'` names the field that contains the model. */
export const whenField = defineField({
  name: 'automation_when',
  Read: WhenRead,
  Edit: WhenEdit,
  toText: ({ value }) => triggerWord(String(whenIn(value).trigger ?? '')),
  layout: 'wide',
});

type When = Readonly<Record<string, unknown>>;

function whenIn(value: unknown): When {
  return typeof value === 'object' && value !== null ? (value as When) : {};
}

export function modelOf({ record, node }: Pick<FieldReadProps, 'record' | 'node'>): string {
  return String(record[String(node.options?.model ?? 'model')] ?? '');
}

function triggers(): readonly (readonly [string, string])[] {
  return [
    ['create', t('is created')],
    ['change', t('is changed')],
    ['date', t('reaches a date')],
    ['schedule', t('is due on a schedule')],
    ['hook', t('is reported by another program')],
  ];
}

function triggerWord(trigger: string): string {
  return triggers().find(([name]) => name === trigger)?.[1] ?? '';
}

function WhenRead(props: FieldReadProps) {
  const when = whenIn(props.value);
  const { fields } = useOptions(modelOf(props));
  const field = when.field ? `: ${labelOf(fields, String(when.field))}` : '';
  return (
    <span>
      {triggerWord(String(when.trigger ?? ''))}
      {field}
    </span>
  );
}

function WhenEdit(props: FieldEditProps) {
  const when = whenIn(props.value);
  const options = useOptions(modelOf(props));
  const set = (changed: When) => {
    const next = Object.entries({ ...when, ...changed }).filter(([, value]) => value !== '' && value !== undefined);
    props.onChange(Object.fromEntries(next));
  };
  return (
    <div className="stack pad-s-2" id={props.id}>
      <Sentence>
        <span>{t('A record')}</span>
        <Choice
          label={t('When it runs')}
          value={String(when.trigger ?? '')}
          choices={triggers()}
          onChoose={(trigger) => props.onChange({ trigger })}
        />
        {when.trigger === 'change' && <Changed when={when} options={options} set={set} />}
        {when.trigger === 'date' && <Reached when={when} options={options} set={set} />}
        {when.trigger === 'schedule' && <Scheduled when={when} options={options} set={set} />}
      </Sentence>
      {when.trigger === 'date' && (
        <p className="mut small">
          {t(
            'Once for each date, in the time zone of the company. Dates that were missed by up to 30 days are caught up.',
          )}
        </p>
      )}
      {when.trigger === 'hook' && (
        <Reported
          when={when}
          options={options}
          set={set}
          id={typeof props.record.id === 'number' ? props.record.id : null}
        />
      )}
    </div>
  );
}

interface PartProps {
  readonly when: When;
  readonly options: Options;
  readonly set: (changed: When) => void;
}

function Changed({ when, options, set }: PartProps) {
  const field = options.fields.find(({ name }) => name === when.field);
  const values = field?.choices.map(({ value, label }) => [value, label] as const) ?? [];
  const value = (key: 'from' | 'to', label: string) =>
    values.length > 0 ? (
      <Choice
        label={label}
        value={String(when[key] ?? '')}
        choices={values}
        empty={t('any value')}
        onChoose={(to) => set({ [key]: to })}
      />
    ) : (
      <Word
        label={label}
        value={String(when[key] ?? '')}
        placeholder={t('any value')}
        onType={(to) => set({ [key]: to })}
      />
    );
  return (
    <>
      <span>{t('in')}</span>
      <Choice
        label={t('Field')}
        value={String(when.field ?? '')}
        choices={options.fields.map(({ name, label }) => [name, label])}
        empty={t('any field')}
        onChoose={(name) => set({ field: name, from: '', to: '' })}
      />
      {field && (
        <>
          <span>{t('from')}</span>
          {value('from', t('Value before'))}
          <span>{t('to')}</span>
          {value('to', t('Value after'))}
        </>
      )}
    </>
  );
}

function Reached({ when, options, set }: PartProps) {
  const field = options.fields.find(({ name }) => name === when.field);
  const isHours = when.unit === 'hours';
  return (
    <>
      <Word
        label={t('How long')}
        type="number"
        value={String(when.offset ?? 0)}
        onType={(typed) => set({ offset: Math.max(0, Math.round(Number(typed) || 0)) })}
      />
      <Choice
        label={t('Unit')}
        value={String(when.unit ?? 'days')}
        choices={[
          ['days', t('days')],
          ['hours', t('hours')],
        ]}
        onChoose={(unit) => set({ unit })}
      />
      <Choice
        label={t('Before or after')}
        value={String(when.side ?? 'before')}
        choices={[
          ['before', t('before')],
          ['after', t('after')],
        ]}
        onChoose={(side) => set({ side })}
      />
      <Choice
        label={t('Date')}
        value={String(when.field ?? '')}
        choices={options.fields.filter(({ isDate }) => isDate).map(({ name, label }) => [name, label])}
        onChoose={(name) => set({ field: name })}
      />
      {field?.input !== 'moment' && !isHours && <At when={when} set={set} />}
    </>
  );
}

function At({ when, set }: Omit<PartProps, 'options'>) {
  return (
    <>
      <span>{t('at')}</span>
      <Word label={t('Time')} type="time" value={String(when.at ?? '08:00')} onType={(at) => set({ at })} />
    </>
  );
}

function Scheduled({ when, set }: PartProps) {
  const every = String(when.every ?? 'day');
  return (
    <>
      <span>{t('every')}</span>
      <Choice
        label={t('How often')}
        value={every}
        choices={[
          ['hour', t('hour')],
          ['day', t('day')],
          ['workday', t('working day')],
          ['week', t('Monday')],
          ['month', t('first day of a month')],
        ]}
        onChoose={(chosen) => set({ every: chosen })}
      />
      {every !== 'hour' && <At when={when} set={set} />}
    </>
  );
}

/** Which value of the message goes into which field. */
function Reported({ when, options, set, id }: PartProps & { readonly id: number | null }) {
  const places = Object.entries(whenIn(when.fields)).map(([name, place]) => [name, String(place)] as const);
  const put = (next: readonly (readonly [string, string])[]) => set({ fields: Object.fromEntries(next) });
  const free = options.fields.filter(({ name, mayWrite }) => mayWrite && !places.some(([known]) => known === name));
  return (
    <div className="stack">
      <p className="mut small">
        {id === null
          ? t('Its address and key are shown when it is saved.')
          : t('Messages go to {address}, signed with the key below.', {
              address: `${location.origin}/automations/in/${id}`,
            })}
      </p>
      {places.map(([name, place]) => (
        <Sentence key={name}>
          <span className="pad-y-1 pad-x-2 round-s tinted medium">{labelOf(options.fields, name)}</span>
          <span>{t('is in the message at')}</span>
          <Word
            label={t('Where {field} is', { field: labelOf(options.fields, name) })}
            value={place}
            placeholder="customer.email"
            onType={(typed) => put(places.map((each) => (each[0] === name ? [name, typed] : each)))}
          />
          <IconButton
            icon="x"
            label={t('Remove {field}', { field: labelOf(options.fields, name) })}
            onClick={() => put(places.filter(([known]) => known !== name))}
          />
        </Sentence>
      ))}
      <Sentence>
        <Choice
          label={t('Add a field')}
          value=""
          empty={t('Add a field…')}
          choices={free.map(({ name, label }) => [name, label])}
          onChoose={(name) => put([...places, [name, name]])}
        />
        {places.length > 0 && (
          <Choice
            label={t('The same record')}
            value={String(when.match ?? '')}
            empty={t('Each message creates a record')}
            choices={places.map(([name]) => [
              name,
              t('Same {field}: the record is changed', { field: labelOf(options.fields, name) }),
            ])}
            onChoose={(match) => set({ match })}
          />
        )}
      </Sentence>
    </div>
  );
}
