import type { WorkspacePayload } from '@kontor/protocol';
import { createRoot } from 'react-dom/client';
import { Editor } from './editor.tsx';

/** Opens the editor of a screen over it, outside of its tree: the view on the screen stays as it is. */
export function openEditor(workspace: WorkspacePayload): void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const close = () => {
    root.unmount();
    place.remove();
  };
  root.render(<Editor workspace={workspace} onClose={close} />);
}
