// What is under test: one persistence service, mounted on one workspace at a time.
import { BadRequest } from './bad-request.mjs'

const SERVICE = 'sessionPersistence'

export class Subject {
  #ctx
  #fiber

  /** description: { module, config, capabilities }, see README.md. */
  constructor(ctx, description) {
    this.#ctx = ctx
    this.description = description
  }

  /** The persistence service of the open workspace. */
  get service() {
    const service = this.#ctx.get(SERVICE)
    if (this.#fiber === undefined || service === undefined) throw new BadRequest('no workspace is open')
    return service
  }

  /** Start a fresh instance on a workspace. */
  async mount(workspace) {
    if (this.#fiber !== undefined) throw new BadRequest('a workspace is open: close it first')
    const { module, config } = this.description
    this.#fiber = this.#ctx.plugin(await this.#plugin(), place(config, workspace))
    await this.#fiber
    if (this.#ctx.get(SERVICE) === undefined) {
      await this.unmount()
      throw new Error(`${module} provides no ${SERVICE} service; does it inject a service that is not mounted here?`)
    }
  }

  /** Do some work with another instance, which lives beside the mounted one and only as long as the work. */
  async apart(config, work) {
    const ctx = this.#ctx.isolate(SERVICE)
    const fiber = ctx.plugin(await this.#plugin(), config)
    await fiber
    try {
      return await work(ctx.get(SERVICE))
    } finally {
      await fiber.dispose()
    }
  }

  /** End the instance in order, with all that it holds. */
  async unmount() {
    const fiber = this.#fiber
    this.#fiber = undefined
    await fiber?.dispose()
  }

  async #plugin() {
    const loaded = await import(this.description.module)
    return loaded.default ?? loaded
  }
}

/** The configuration with the workspace's path in the place of "{workspace}". */
function place(config, workspace) {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.replaceAll('{workspace}', workspace) : value,
    ]),
  )
}
