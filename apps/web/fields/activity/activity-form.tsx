import type { ArchField } from '@kontor/protocol';
import { type FormEvent, useEffect, useId, useState } from 'react';
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
import { bootstrap } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { Many2oneEdit } from '../many2one.tsx';

interface ActivityFormProps {
  /** The one to change; a new one about the record otherwise. */
  readonly activity?: Activity;
  readonly model?: string;
  readonly recordId?: number;
  onClose(): void;
  onSaved(): Promise<void>;
}

interface Plan {
  readonly type: number;
  readonly name: string;
  readonly dueDate: string;
  readonly user: { readonly id: number; readonly name: string } | null;
}

/** Type, what, until when and who. */
export function ActivityForm({ activity, model, recordId, onClose, onSaved }: ActivityFormProps) {
  const [plan, setPlan] = useState(() => planOf(activity));
  const [problems, setProblems] = useState<Readonly<Record<string, readonly string[]>>>({});
  const [isBusy, setBusy] = useState(false);
  const types = useTypes();
  const id = useId();
  const first = types[0]?.id;
  useEffect(() => {
    if (first) setPlan((now) => (now.type === 0 ? { ...now, type: first } : now));
  }, [first]);
  const choose = async (type: number) => {
    setPlan((now) => ({ ...now, type }));
    const given = await typeChosen({ type_id: type, name: plan.name }).catch(() => ({}) as Record<string, unknown>);
    setPlan((now) => ({ ...now, dueDate: String(given.due_date ?? now.dueDate) }));
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
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
      const { fields, message } = toClientError(error);
      setProblems(Object.keys(fields).length > 0 ? fields : { '': [message] });
      setBusy(false);
    }
  };
  return (
    <form className="activity-form" onSubmit={(event) => void save(event)}>
      <div className="activity-types" role="group" aria-label={t('Type')}>
        {types.map((type) => (
          <button
            key={type.id}
            type="button"
            className="activity-type"
            aria-pressed={type.id === plan.type}
            onClick={() => void choose(type.id)}
          >
            {type.name}
          </button>
        ))}
      </div>
      <label htmlFor={`${id}-name`}>{t('Summary')}</label>
      <input
        id={`${id}-name`}
        className="input"
        maxLength={200}
        autoFocus
        value={plan.name}
        onChange={(event) => setPlan({ ...plan, name: event.target.value })}
      />
      <label htmlFor={`${id}-due`}>{t('Due')}</label>
      <input
        id={`${id}-due`}
        className="input"
        type="date"
        required
        value={plan.dueDate}
        onChange={(event) => setPlan({ ...plan, dueDate: event.target.value })}
      />
      <label htmlFor={`${id}-user`}>{t('For')}</label>
      <PersonField id={`${id}-user`} plan={plan} onChange={(user) => setPlan({ ...plan, user })} />
      <p className="field-problem" role="alert">
        {Object.values(problems)
          .flat()
          .map((problem) => t(problem))
          .join(' ')}
      </p>
      <div className="activity-buttons">
        <Button kind="primary" type="submit" disabled={isBusy || plan.type === 0}>
          {activity ? t('Save') : t('Plan')}
        </Button>
        <Button kind="bare" onClick={onClose}>
          {t('Back')}
        </Button>
      </div>
    </form>
  );
}

const personField: ArchField = {
  name: 'user_id',
  type: 'many2one',
  label: 'For',
  required: true,
  readonly: false,
  stored: true,
  sortable: true,
  searchable: true,
  groupable: true,
  relation: 'core.user',
  onchange: false,
};

interface PersonFieldProps {
  readonly id: string;
  readonly plan: Plan;
  onChange(user: Plan['user']): void;
}

function PersonField({ id, plan, onChange }: PersonFieldProps) {
  const record = { id: 0, user_id: plan.user?.id ?? null, 'user_id.display_name': plan.user?.name ?? null };
  return (
    <div className="activity-person">
      <Many2oneEdit
        id={id}
        label={t('For')}
        field={personField}
        node={{ name: 'user_id' }}
        model="mail.activity"
        value={record.user_id}
        record={record}
        place="list"
        isRequired
        isInvalid={false}
        onChange={(value, shown) =>
          onChange(
            typeof value === 'number' ? { id: value, name: String(shown?.['user_id.display_name'] ?? '') } : null,
          )
        }
      />
    </div>
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
