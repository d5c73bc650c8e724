import type { ArchField } from '@kontor/protocol';
import { Many2oneEdit } from '../../fields/many2one/edit.tsx';
import { t } from '../../i18n/messages.ts';
import { Labelled } from '../../ui/labelled.tsx';

interface OwnerFieldProps {
  readonly owner: { readonly id: number; readonly name: string } | null;
  readonly problem: string | undefined;
  readonly onChange: (owner: { readonly id: number; readonly name: string } | null) => void;
}

const field: ArchField = {
  name: 'user_id',
  type: 'many2one',
  label: 'Acts for',
  relation: 'core.user',
  required: true,
  readonly: false,
  stored: true,
  sortable: false,
  searchable: true,
  groupable: false,
  onchange: false,
};

/** Whose rights the key has: found by typing, as everywhere. */
export function OwnerField({ owner, problem, onChange }: OwnerFieldProps) {
  const label = t('Acts for');
  return (
    <Labelled label={label} hint={t('The key may do what this person may, at most.')} problem={problem}>
      {(props) => (
        <Many2oneEdit
          id={props.id}
          describedBy={props['aria-describedby']}
          isInvalid={props['aria-invalid'] === true}
          label={label}
          field={field}
          node={field}
          model="core.user.apikey"
          value={owner?.id ?? null}
          record={{ id: 0, user_id: owner?.id ?? null, 'user_id.display_name': owner?.name ?? null }}
          place="list"
          isRequired
          domain={[['active', '=', true]]}
          onChange={(id, shown) =>
            onChange(typeof id === 'number' ? { id, name: String(shown?.['user_id.display_name'] ?? '') } : null)
          }
        />
      )}
    </Labelled>
  );
}
