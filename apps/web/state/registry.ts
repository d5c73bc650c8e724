/** Items by name. An unknown name is an error that lists the known names. */
interface Registry<T> {
  add(name: string, item: T): void;
  remove(name: string): void;
  get(name: string): T;
  has(name: string): boolean;
  names(): readonly string[];
}

export function createRegistry<T>(kind: string): Registry<T> {
  const items = new Map<string, T>();
  const names = () => [...items.keys()].sort();
  return {
    add(name, item) {
      if (items.has(name)) throw new Error(`There are two ${kind}s named "${name}".`);
      items.set(name, item);
    },
    remove: (name) => void items.delete(name),
    get(name) {
      const item = items.get(name);
      if (item === undefined) throw new Error(`There is no ${kind} "${name}". There are: ${names().join(', ')}.`);
      return item;
    },
    has: (name) => items.has(name),
    names,
  };
}
