import { createRoot } from 'react-dom/client';
import { StatesEditor } from './states-editor.tsx';

/** Opens the picture of the states of a model over the screen. */
export function openStates(model: string, onPublished: () => void = () => location.reload()): void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const close = () => {
    root.unmount();
    place.remove();
  };
  const published = () => {
    close();
    onPublished();
  };
  root.render(<StatesEditor model={model} onClose={close} onPublished={published} />);
}
