import { gzipSync } from 'node:zlib';

/** A file, a link or a folder of a tarball. */
export interface PackedEntry {
  readonly path: string;
  readonly text?: string;
  /** The tar type flag: 0 a file, 1 and 2 links, 5 a folder. */
  readonly type?: string;
  readonly link?: string;
}

/** Creates a tarball, including ones that npm would never create. */
export function makeTarball(entries: readonly PackedEntry[]): Buffer<ArrayBuffer> {
  const blocks = entries.flatMap(({ path, text = '', type = '0', link = '' }) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    const write = (value: string, at: number) => header.write(value, at, 'utf8');
    write(path, 0);
    write('0000644\0', 100);
    write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    write(type, 156);
    write(link, 157);
    write('ustar\u000000', 257);
    write('        ', 148);
    const sum = header.reduce((total, byte) => total + byte, 0);
    write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** The tarball of a small addon with one model. */
export function addonTarball(
  name: string,
  manifest: Readonly<Record<string, unknown>> = {},
  files: Readonly<Record<string, string>> = {},
): Buffer<ArrayBuffer> {
  const all = {
    'package.json': JSON.stringify({ name: `kontor-${name}`, version: manifest.version ?? '1.0.0' }),
    'manifest.json': JSON.stringify({
      ...{ name, label: name, version: '1.0.0', kontor: '^0.1', depends: ['base'], application: true },
      ...manifest,
    }),
    'addon.ts': `import { defineAddon, defineModel, fields } from '@kontor/addon';
const things = { name: fields.char({ required: true }) };
export { things };
export default defineAddon({ models: [defineModel('${name}.thing', { label: 'Thing', fields: things })] });
`,
    'security/access.csv': `id,name,model,group,read,write,create,unlink\naccess_thing,Users,${name}.thing,base.group_user,1,1,1,1\n`,
    ...files,
  };
  return makeTarball(Object.entries(all).map(([path, text]) => ({ path: `package/${path}`, text })));
}
