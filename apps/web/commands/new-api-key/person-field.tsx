import { type Named, RecordField } from '../../fields/record-field.tsx';
import { Labelled } from '../../ui/labelled.tsx';

interface PersonFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly person: Named | null;
  readonly problem: string | undefined;
  readonly isRequired?: boolean;
  readonly onChange: (person: Named | null) => void;
}

/** Chooses a user who can sign in, by name. */
export function PersonField(props: PersonFieldProps) {
  const { label, hint, person, problem, isRequired = false, onChange } = props;
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(control) => (
        <RecordField
          id={control.id}
          describedBy={control['aria-describedby']}
          isInvalid={control['aria-invalid'] === true}
          {...{ label, isRequired, onChange }}
          relation="core.user"
          domain={[['active', '=', true]]}
          value={person}
        />
      )}
    </Labelled>
  );
}
