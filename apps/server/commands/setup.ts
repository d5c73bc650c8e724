import type { Config } from '@kontor/kernel';
import { initialise, keepBaseAddress, readSetupForm } from '@kontor/parts';
import { setupChoices } from '../routes/setup.ts';
import type { Command } from './command.ts';
import { withKernel } from './open-source.ts';
import { readSecret } from './read-secret.ts';

export const setup: Command = {
  name: 'setup',
  takes: '',
  help: 'Runs the first-run setup without a browser.',
  details: 'The password comes from a prompt, --password-file or standard input.',
  words: [0, 0],
  options: [
    { name: 'company', value: 'NAME', help: 'The name of the company.' },
    { name: 'name', value: 'NAME', help: 'The name of the first administrator.' },
    { name: 'email', value: 'ADDRESS', help: 'Their e-mail address, which is their login.' },
    { name: 'password-file', value: 'FILE', help: 'Their password, in the first line of this file.' },
    { name: 'country', value: 'XX', help: 'Two letters; sets currency, time zone, language and taxes.' },
    { name: 'lang', value: 'CODE', help: 'The language, such as de_DE; default: that of the country, or en_US.' },
    { name: 'apps', value: 'a,b', help: 'Apps to install.' },
    { name: 'demo', help: 'Load demonstration data.' },
  ],
  async run({ config, option, has }) {
    const fields = {
      company_name: option('company'),
      admin_name: option('name'),
      email: option('email'),
      country: option('country'),
      lang: option('lang'),
      apps: option('apps'),
      demo: has('demo') ? '1' : undefined,
    };
    const password = await readSecret('Password', option('password-file'));
    await withKernel(
      config,
      async (kernel) => {
        if (await kernel.isInitialised()) throw new Error('Kontor has been set up already.');
        await initialise(kernel, readSetupForm({ ...fields, password }, await setupChoices(kernel)));
        if (config.baseUrl !== '') await keepBaseAddress(kernel.database, config.baseUrl);
      },
      { mayCreate: true },
    );
    console.log(`Kontor is set up. Start it and sign in as ${option('email')} at ${addressOf(config)}.`);
  },
};

function addressOf({ baseUrl, httpPort }: Config): string {
  return baseUrl === '' ? `http://127.0.0.1:${httpPort}` : baseUrl;
}
