/** Freezes plain objects and arrays recursively; anything else (a function, a Decimal) stays as it is. */
export function freezeData<Data>(data: Data): Data {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data;
  const prototype = Object.getPrototypeOf(data);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return data;
  Object.freeze(data);
  for (const value of Object.values(data)) freezeData(value);
  return data;
}
