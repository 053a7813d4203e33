/** A port with some of its methods replaced; the others are the port's own. */
export function overriding<T extends object>(port: T, replaced: Partial<T>): T {
  return new Proxy(port, {
    get(target, name) {
      if (Object.hasOwn(replaced, name)) return Reflect.get(replaced, name) as unknown;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
