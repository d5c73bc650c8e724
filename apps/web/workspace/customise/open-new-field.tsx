import { createRoot } from 'react-dom/client';
import type { MissingField } from '../../data/add-field.ts';
import { FieldsDialog } from './dialog.tsx';
import { emptyField } from './new-field.ts';

/** Opens the dialog that adds a field over the screen, outside of its tree: what is on the screen stays as it is. */
export function openNewField({ model, title, names, given, onPublished }: MissingField): void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const close = () => {
    root.unmount();
    place.remove();
  };
  root.render(
    <FieldsDialog
      subject={{ model, title, names, places: [] }}
      first={{
        ...emptyField,
        ...given,
        choices: (given?.choices ?? []).map((label, at) => ({ key: at + 1, label, look: 'mute', words: {} })),
      }}
      onPublished={(added) => added && onPublished?.(added)}
      onClose={close}
    />,
  );
}
