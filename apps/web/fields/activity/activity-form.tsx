import { isDate } from '@kontor/protocol';
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import {
  type Activity,
  type ActivityType,
  changeActivity,
  loadActivityTypes,
  planActivity,
  typeChosen,
} from '../../data/activities.ts';
import { toClientError } from '../../data/client-error.ts';
import { announce } from '../../data/toasts.ts';
import { today } from '../../i18n/local-time.ts';
import { t } from '../../i18n/messages.ts';
import { editDate } from '../../i18n/typed-dates.ts';
import { bootstrap } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { DayField, type Named, RecordField, unknownName } from '../record-field.tsx';

interface ActivityFormProps {
  /** The activity to edit; without one, a new one is created. */
  readonly activity?: Activity;
  readonly model?: string;
  readonly recordId?: number;
  /** Chooses the record, if it is not known yet. */
  readonly about?: ReactNode;
  onClose(): void;
  onSaved(): Promise<void>;
}

interface Plan {
  readonly type: number;
  readonly name: string;
  readonly dueDate: string;
  readonly user: Named | null;
}

/** Edits type, summary, due date and assignee. */
// Over 60 lines: all fields are sent and validated together.
export function ActivityForm({ activity, model, recordId, about, onClose, onSaved }: ActivityFormProps) {
  const { plan, setPlan, types, choose } = usePlan(activity);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const mistakes = mistakesIn(plan);
    setProblems(mistakes);
    if (mistakes.length > 0) return;
    setBusy(true);
    const name = plan.name.trim() || (types.find((type) => type.id === plan.type)?.name ?? '');
    const values = { type_id: plan.type, name, due_date: plan.dueDate || null, user_id: plan.user?.id ?? null };
    try {
      if (activity) await changeActivity(activity.id, values);
      else await planActivity({ ...values, model, res_id: recordId });
      announce(t('Planned: {name}', { name }));
      await onSaved();
      onClose();
    } catch (error) {
      setProblems(problemsOf(error));
      setBusy(false);
    }
  };
  return (
    <form
      className="stack gap-1 surface round-m below-3 pad-3 outlined activity-form"
      onSubmit={(event) => void save(event)}
    >
      {about}
      <TypeChoice types={types} chosen={plan.type} onChoose={(type) => void choose(type)} />
      <PlanInput
        id={`${id}-name`}
        label={t('Summary')}
        maxLength={200}
        autoFocus
        value={plan.name}
        onChange={(event) => setPlan({ ...plan, name: event.target.value })}
      />
      <label className="small mut above-1" htmlFor={`${id}-due`}>
        {t('Due')}
      </label>
      <div className="round control">
        <DayField
          id={`${id}-due`}
          label={t('Due')}
          isRequired
          value={plan.dueDate}
          onChange={(dueDate) => setPlan((now) => ({ ...now, dueDate }))}
        />
      </div>
      <PersonField id={`${id}-user`} value={plan.user} onChange={(user) => setPlan({ ...plan, user })} />
      <p className="field-problem" role="alert">
        {problems.map((problem) => t(problem)).join(' ')}
      </p>
      <div className="line end gap-2 above-2">
        <Button onClick={onClose}>{t('Back')}</Button>
        <Button kind="primary" type="submit" disabled={isBusy || plan.type === 0 || !(activity || recordId)}>
          {activity ? t('Save') : t('Plan')}
        </Button>
      </div>
    </form>
  );
}

function mistakesIn({ dueDate, user }: Plan): readonly string[] {
  const day = isDate(dueDate) ? null : t('Enter a date such as {example}.', { example: editDate(today()) });
  return [day, unknownName(user)].filter((problem) => problem !== null);
}

function problemsOf(error: unknown): readonly string[] {
  const { fields, message } = toClientError(error);
  const found = Object.values(fields).flat();
  return found.length > 0 ? found : [message];
}

/** The form's values, with the first type by default. */
function usePlan(activity: ActivityFormProps['activity']) {
  const [plan, setPlan] = useState(() => planOf(activity));
  const types = useTypes();
  const first = types[0]?.id;
  useEffect(() => {
    if (first) setPlan((now) => (now.type === 0 ? { ...now, type: first } : now));
  }, [first]);
  const choose = async (type: number) => {
    setPlan((now) => ({ ...now, type }));
    const given = await typeChosen({ type_id: type, name: plan.name }).catch(() => ({}) as Record<string, unknown>);
    setPlan((now) => ({ ...now, dueDate: String(given.due_date ?? now.dueDate) }));
  };
  return { plan, setPlan, types, choose };
}

interface TypeChoiceProps {
  readonly types: ReturnType<typeof useTypes>;
  readonly chosen: number;
  readonly onChoose: (type: number) => void;
}

function TypeChoice({ types, chosen, onChoose }: TypeChoiceProps) {
  return (
    <div className="line wrap gap-1 activity-types" role="group" aria-label={t('Type')}>
      {types.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className={`small control pad-x-2h lights activity-type ${id === chosen ? 'semi' : ''}`}
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

interface PersonFieldProps {
  readonly id: string;
  readonly value: Plan['user'];
  readonly onChange: (user: Plan['user']) => void;
}

function PersonField({ id, value, onChange }: PersonFieldProps) {
  return (
    <>
      <label className="small mut above-1" htmlFor={id}>
        {t('For')}
      </label>
      <div className="round control">
        <RecordField id={id} label={t('For')} relation="core.user" value={value} onChange={onChange} />
      </div>
    </>
  );
}

function PlanInput({ label, ...input }: ComponentProps<'input'> & { readonly label: string }) {
  return (
    <>
      <label className="small mut above-1" htmlFor={input.id}>
        {label}
      </label>
      <input className="input" {...input} />
    </>
  );
}

function planOf(activity: Activity | undefined): Plan {
  if (activity) return { type: activity.type.id, name: activity.name, dueDate: activity.dueDate, user: activity.user };
  const { id, name } = bootstrap().user;
  return { type: 0, name: '', dueDate: today(), user: { id, name } };
}

function useTypes(): readonly ActivityType[] {
  const [types, setTypes] = useState<readonly ActivityType[]>([]);
  useEffect(() => {
    loadActivityTypes().then(setTypes, () => {});
  }, []);
  return types;
}
