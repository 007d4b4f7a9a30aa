// What the control plane says when it refuses something that was not asked by a typed call.

export async function refusalOf(reply: Response): Promise<Error> {
  const body = (await reply.json().catch(() => undefined)) as { readonly error?: { readonly message?: string } } | undefined;
  return new Error(body?.error?.message ?? `The server answered with status ${reply.status}.`);
}
