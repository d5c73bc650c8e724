import { Icon } from '../ui/icon.tsx';
import { defineField } from './define-field.ts';

/** Shown as a grip; the list or grid around it handles dragging. */
export const handleField = defineField({
  name: 'handle',
  Read: HandleRead,
  Edit: null,
  toText: () => '',
  width: 36,
});

function HandleRead() {
  return <Icon name="grip-vertical" className="dim" />;
}
