// A runtime of this era loads a plugin from the disk, but does not lead the plugin's bare imports to the packages inside
// the executable.  This hook does, by asking on behalf of the executable's own entry script; then it hands over.
import { registerHooks } from 'node:module'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const parentURL = pathToFileURL(process.argv[1]).href

registerHooks({
  resolve(specifier, context, next) {
    const isOurs = specifier.startsWith('@deepseek-ai/') && !context.parentURL?.startsWith('file:///snapshot/')
    return next(specifier, isOurs ? { ...context, parentURL } : context)
  },
})

export const name = 'session-conformance'

export async function apply(ctx) {
  const { serve } = await import('./adapter.mjs')
  await serve(ctx)
}
