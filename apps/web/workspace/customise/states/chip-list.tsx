import { t } from '../../../i18n/messages.ts';
import { Chip } from '../../../ui/parts.tsx';
import { Select } from '../controls.tsx';

interface ChipListProps {
  /** What the choice of another one is called. */
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** Several of some options, each as a chip that can be removed. */
export function ChipList({ label, options, values, onChange }: ChipListProps) {
  const labelOf = (value: string) => options.find(([each]) => each === value)?.[1] ?? value;
  return (
    <div className="stack gap-2">
      {values.length > 0 && (
        <span className="row wrap gap-1">
          {values.map((value) => (
            <Chip
              key={value}
              removeLabel={t('Remove {name}', { name: labelOf(value) })}
              onRemove={() => onChange(values.filter((each) => each !== value))}
            >
              {labelOf(value)}
            </Chip>
          ))}
        </span>
      )}
      <Select
        label={label}
        value=""
        options={[['', ''], ...options.filter(([value]) => !values.includes(value))]}
        onChange={(value) => value !== '' && onChange([...values, value])}
      />
    </div>
  );
}
