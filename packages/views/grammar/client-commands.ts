/** What the client itself does for a `<button type="client">`, and for whom: things that need a page or a dialog of its own. */
export const clientCommands: ReadonlyMap<string, { readonly groups?: readonly string[]; readonly doc: string }> =
  new Map([
    ['new_api_key', { groups: ['base.group_system'], doc: 'Makes an API key for a user and shows its secret once.' }],
    ['reset_password', { groups: ['base.group_system'], doc: 'Gives a user a link to choose a new password.' }],
  ]);
