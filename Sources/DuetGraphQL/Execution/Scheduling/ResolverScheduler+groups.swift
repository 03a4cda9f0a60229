extension ResolverScheduler {
    /// Schedules calls for the incomplete fields of a part, beginning at an index. Fields of batch and subtree
    /// resolvers are added to their groups.
    func schedule(_ part: Int, from first: Int) {
        for index in first..<max(first, parts[part].incompleteFields.count) {
            let field = parts[part].incompleteFields[index].field
            let reference = IncompleteFieldReference(part: part, field: index)
            if hasPropagatedNull, isNullified(reference) { continue }
            guard case .asynchronous(let resolver) = field.resolution else { continue }
            let id = field.planPosition.id
            incompleteCounts[id, default: 0] += 1
            switch resolver {
            case .async(let resolve):
                scheduledCalls.append(ScheduledCall(resolver: .async(resolve), fields: [reference]))
            case .sync, .events:
                scheduledCalls.append(ScheduledCall(resolver: .unsupported, fields: [reference]))
            case .batch, .subtree:
                if groups[id] == nil {
                    groups[id] = FieldGroup(field: field)
                    groupsToCheck.append(id)
                }
                groups[id]?.fields.append(reference)
            }
        }
    }

    /// Schedules a call for each group that cannot receive further fields.
    func scheduleReadyGroups() {
        guard !groupsToCheck.isEmpty else { return }
        let ids = groupsToCheck
        groupsToCheck = []
        for id in ids {
            guard let group = groups[id] else { continue }
            var above = group.field.planPosition.parent
            var blocker: Int32?
            while let current = above {
                if incompleteCounts[current.id] != nil { blocker = current.id }
                above = current.parent
            }
            if let blocker {
                blockedGroups[blocker, default: []].append(id)
            } else {
                groups[id] = nil
                schedule(group)
            }
        }
        subtreeCalls = [:]
    }

    private func schedule(_ group: FieldGroup) {
        guard case .asynchronous(let resolver) = group.field.resolution else { return }
        switch resolver {
        case .batch(let resolve):
            scheduledCalls.append(ScheduledCall(resolver: .batch(resolve), fields: group.fields))
        case .subtree(let resolver):
            if let index = subtreeCalls[ObjectIdentifier(resolver)] {
                scheduledCalls[index].fields += group.fields
            } else {
                subtreeCalls[ObjectIdentifier(resolver)] = scheduledCalls.count
                scheduledCalls.append(ScheduledCall(resolver: .subtree(resolver), fields: group.fields))
            }
        default: break
        }
    }

    /// Marks a field as complete. When no incomplete field remains at the field's plan position, the groups that this
    /// position blocked are checked again.
    func decrementIncompleteCount(of field: PlannedField) {
        let id = field.planPosition.id
        let remaining = (incompleteCounts[id] ?? 0) - 1
        if remaining > 0 {
            incompleteCounts[id] = remaining
        } else {
            incompleteCounts[id] = nil
            if let blocked = blockedGroups.removeValue(forKey: id) { groupsToCheck += blocked }
        }
    }
}
