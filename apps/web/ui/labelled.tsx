import { type ComponentProps, type ReactNode, useId } from 'react';
import './labelled.css';

interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface LabelledProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly children: (props: ControlProps) => ReactNode;
}

/** A control with its label, hint and error message, linked for assistive technology. */
export function Labelled({ label, hint, problem, children }: LabelledProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div className="stack gap-1 shrink labelled">
      <label className="small medium mut" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': problem ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="small mut">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

type LabelledInputProps = Omit<LabelledProps, 'children'> & ComponentProps<'input'>;

/** A text field under its label. */
export function LabelledInput({ label, hint, problem, ...input }: LabelledInputProps) {
  return (
    <Labelled {...{ label, hint, problem }}>{(props) => <input className="input" {...input} {...props} />}</Labelled>
  );
}
