// The live objects behind pointers that a C API hands out and takes back.
#pragma once

#include <mutex>
#include <unordered_map>
#include <utility>

namespace mluop {

/// The live objects of one kind, each with its owner: a pointer that is not in here is refused instead of followed.
template <class Owner>
class Registry {
 public:
  using Object = typename Owner::element_type;

  Object* add(Owner owner) {
    Object* const object = owner.get();
    const std::lock_guard lock{mutex_};
    live_.emplace(object, std::move(owner));
    return object;
  }

  bool remove(const void* object) {
    typename Map::node_type removed;  // destroyed after the lock is released
    const std::lock_guard lock{mutex_};
    removed = live_.extract(object);
    return !removed.empty();
  }

  /// Calls use(object) under the lock; false if there is no such object.
  template <class Use>
  bool with(const void* object, Use&& use) {
    const std::lock_guard lock{mutex_};
    const auto found = live_.find(object);
    if (found == live_.end()) return false;
    use(*found->second);
    return true;
  }

  bool contains(const void* object) {
    return with(object, [](const Object&) {});
  }

 private:
  using Map = std::unordered_map<const void*, Owner>;
  std::mutex mutex_;
  Map live_;
};

}  // namespace mluop
