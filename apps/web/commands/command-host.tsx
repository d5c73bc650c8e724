import type { ComponentType } from 'react';
import { lazyComponent } from '../state/lazy.tsx';
import { createRegistry } from '../state/registry.ts';
import { useStore } from '../state/store.ts';
import { type CommandProps, openCommand } from './command.ts';

const commands = createRegistry<ComponentType<CommandProps>>('command');

export function registerShippedCommands(): void {
  const load = {
    new_api_key: async () => (await import('./new-api-key/dialog.tsx')).NewApiKeyDialog,
    rotate_api_key: async () => (await import('./rotate-api-key/dialog.tsx')).RotateApiKeyDialog,
    invite: async () => (await import('./reset-password/dialog.tsx')).InviteDialog,
    reset_password: async () => (await import('./reset-password/dialog.tsx')).ResetPasswordDialog,
  };
  for (const [name, dialog] of Object.entries(load)) commands.add(name, lazyComponent(dialog).Component);
}

/** Dialogs of `<button type="client">`, over the current screen. */
export function CommandHost() {
  const open = useStore(openCommand);
  if (!open) return null;
  const Command = commands.get(open.name);
  return <Command target={open.target} onClose={() => openCommand.set(null)} />;
}
