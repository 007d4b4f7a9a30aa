// A palette as values of the page's design tokens. The page's own choice of light, dark or system goes on deciding between the two.

type Values = Readonly<Record<string, string>>;

/** @param palette as it is made, or as a client read it */
export function tokensOf({ light, dark, measures }: Readonly<Record<'light' | 'dark' | 'measures', Values>>): Values {
  const colours = Object.entries(light).map(([name, value]): [string, string] => [name, `light-dark(${value}, ${dark[name]})`]);
  return { ...Object.fromEntries(colours), ...measures };
}
