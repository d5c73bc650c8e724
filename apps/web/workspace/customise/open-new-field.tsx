import { createRoot } from 'react-dom/client';
import { FieldsDialog } from './dialog.tsx';
import type { MissingField } from './load-customise.ts';
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
      first={{ ...emptyField, ...given }}
      onPublished={(added) => added && onPublished?.(added)}
      onClose={close}
    />,
  );
}
