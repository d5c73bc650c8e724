import type { ArchField } from '@kontor/protocol';
import { Many2oneEdit } from '../../fields/many2one.tsx';
import { Labelled } from '../../ui/labelled.tsx';

export interface ChosenPerson {
  readonly id: number;
  readonly name: string;
}

interface PersonFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly person: ChosenPerson | null;
  readonly problem: string | undefined;
  readonly isRequired?: boolean;
  readonly onChange: (person: ChosenPerson | null) => void;
}

/** Chooses a user who can sign in, by name. */
export function PersonField(props: PersonFieldProps) {
  const { name, label, hint, person, problem, isRequired = false, onChange } = props;
  const field = fieldOf(name, label, isRequired);
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(control) => (
        <Many2oneEdit
          id={control.id}
          describedBy={control['aria-describedby']}
          isInvalid={control['aria-invalid'] === true}
          label={label}
          field={field}
          node={field}
          model="core.user.apikey"
          value={person?.id ?? null}
          record={{ id: 0, [name]: person?.id ?? null, [`${name}.display_name`]: person?.name ?? null }}
          place="list"
          isRequired={isRequired}
          domain={[['active', '=', true]]}
          onChange={(id, shown) =>
            onChange(typeof id === 'number' ? { id, name: String(shown?.[`${name}.display_name`] ?? '') } : null)
          }
        />
      )}
    </Labelled>
  );
}

function fieldOf(name: string, label: string, required: boolean): ArchField {
  return {
    ...{ name, label, required, type: 'many2one', relation: 'core.user', readonly: false, stored: true },
    ...{ sortable: false, searchable: true, groupable: false, onchange: false },
  };
}
